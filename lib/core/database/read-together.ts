import "server-only";
import { setImmediate as turn } from "node:timers/promises";

/**
 * Returns a function that batches the reads requested in the same turn of the event loop. `read` gets each key once,
 * and each caller gets its own row, or undefined. A row is always read after its caller requested it.
 */
export function readTogether<Key, Row>(
  read: (keys: Key[]) => Promise<ReadonlyMap<Key, Row>>,
): (key: Key) => Promise<Row | undefined> {
  let requestedKeys = new Set<Key>();
  let batch: Promise<ReadonlyMap<Key, Row>> | undefined;
  return async (key) => {
    requestedKeys.add(key);
    batch ??= turn().then(() => {
      const keys = [...requestedKeys];
      requestedKeys = new Set();
      batch = undefined;
      return read(keys);
    });
    return (await batch).get(key);
  };
}
