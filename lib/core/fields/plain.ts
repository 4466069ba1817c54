// Of the codec (lib/core/fields/wire.ts), what needs no schema: browsers load it with every page.

/** What the name of a nested object ends in, in a request. */
export const WIRE_SUFFIX = "Attributes";

/** Whether the value is an object with keys of its own, not a list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The schema's name for a field of a request. No other field's name ends in `Attributes`. */
export const plainName = (name: string) =>
  name.endsWith(WIRE_SUFFIX) ? name.slice(0, -WIRE_SUFFIX.length) : name;

/** The screen's path of a field that the server named in an error; the reverse of `wirePath`. */
export const plainPath = (path: string): string => path.split(".").map(plainName).join(".");
