/**
 * A value that the process has once. Next loads a module once per bundle, and again at each hot reload; our own
 * server loads it too.
 */
export function processWide<Value>(name: string, make: () => Value): Value {
  const key = Symbol.for(`casebook.${name}`);
  const all = globalThis as typeof globalThis & { [key: symbol]: Value | undefined };
  all[key] ??= make();
  return all[key];
}
