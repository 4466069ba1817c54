// Here as well, so that the header and the navigation stay.
export { default } from "../not-found";
