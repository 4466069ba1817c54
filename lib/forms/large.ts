/** The characters of JSON above which a form is large. A form of 50 services with short texts has about 30,000. */
const CHARACTERS = 150_000;

/** True for what takes so long to render that a page leaves it to the browser. */
export const isLarge = (read: object): boolean => JSON.stringify(read).length > CHARACTERS;
