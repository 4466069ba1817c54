/** A record of a settings list as returned: its id, its fields, and the values of its columns. */
export type LookupItem = { id: number } & Record<string, unknown>;

/** The values of a record's fields as sent; fields missing from an update keep their values. */
export type LookupValues = Record<string, unknown>;
