"use client";

// Repeated here so that the header and the navigation stay.
export { default } from "../error";
