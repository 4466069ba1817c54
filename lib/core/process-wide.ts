import { PRODUCT_KEY } from "@/lib/core/product";

/**
 * Returns a value that exists once per process. Next loads a module once per bundle and at each hot reload, and our own
 * server loads it too.
 */
export function processWide<Value>(name: string, make: () => Value): Value {
  const key = Symbol.for(`${PRODUCT_KEY}.${name}`);
  const all = globalThis as typeof globalThis & { [key: symbol]: Value | undefined };
  all[key] ??= make();
  return all[key];
}
