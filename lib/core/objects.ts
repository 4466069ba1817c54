/** Returns the keys of an object, typed. The object must have no other keys. */
export const keysOf = <Key extends string>(object: Readonly<Record<Key, unknown>>): Key[] =>
  Object.keys(object) as Key[];

/** Returns an object with a value for each key. */
export const byKey = <Key extends string, Value>(
  keys: readonly Key[],
  make: (key: Key) => Value,
): Record<Key, Value> => Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<Key, Value>;

/** True if the value is an object with keys, not a list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
