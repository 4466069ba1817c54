"use client";

// Exported here too, so that the header and the navigation stay.
export { default } from "../error";
