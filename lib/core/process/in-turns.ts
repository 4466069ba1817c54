import "server-only";
import { setImmediate as otherRequests } from "node:timers/promises";

/** Returns what `convert` returns for each item. Other requests are served after every `atOnce` items. */
export async function inTurns<From, To>(
  items: readonly From[],
  convert: (item: From) => To,
  atOnce = 50,
): Promise<To[]> {
  const converted: To[] = [];
  for (let start = 0; start < items.length; start += atOnce) {
    for (const item of items.slice(start, start + atOnce)) converted.push(convert(item));
    await otherRequests();
  }
  return converted;
}
