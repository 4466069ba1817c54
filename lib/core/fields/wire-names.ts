// The part of the codec (lib/core/fields/wire.ts) that needs no schema: browsers load it with every page.

/** The suffix of a nested object's name in a request. */
export const WIRE_SUFFIX = "Attributes";

/** Returns the schema's name for a field of a request. No other field's name ends in `Attributes`. */
export const plainName = (name: string) =>
  name.endsWith(WIRE_SUFFIX) ? name.slice(0, -WIRE_SUFFIX.length) : name;

/** Returns the screen's path of a field in the server's error; the inverse of `wirePath`. */
export const plainPath = (path: string): string => path.split(".").map(plainName).join(".");
