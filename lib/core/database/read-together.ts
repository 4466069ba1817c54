import "server-only";
import { setImmediate as turn } from "node:timers/promises";

/**
 * Makes one read of those that are asked for in the same turn of the event loop: `read` gets the keys, each once, and
 * each caller the row of its own; undefined where there is none. What a caller gets was read after it asked.
 */
export function readTogether<Key, Row>(
  read: (keys: Key[]) => Promise<ReadonlyMap<Key, Row>>,
): (key: Key) => Promise<Row | undefined> {
  let asked = new Set<Key>();
  let found: Promise<ReadonlyMap<Key, Row>> | undefined;
  return async (key) => {
    asked.add(key);
    found ??= turn().then(() => {
      const keys = [...asked];
      asked = new Set();
      found = undefined;
      return read(keys);
    });
    return (await found).get(key);
  };
}
