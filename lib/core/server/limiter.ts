import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";

type Slot = { acquire(): Promise<void>; release(): void };
const currentSlot = new AsyncLocalStorage<Slot>();

/**
 * Runs at most `limit` tasks at once; others wait in order of arrival. If a task's `signal` is aborted while the task
 * waits, the task never starts. It rejects with the signal's reason when its turn comes. `waiting` returns the number
 * of waiting tasks.
 */
export function limiter(limit: number) {
  let running = 0;
  const waiting: (() => void)[] = [];

  const slot: Slot = {
    async acquire() {
      if (running < limit) running += 1;
      else await new Promise<void>((begin) => waiting.push(begin));
    },
    release() {
      const begin = waiting.shift();
      if (begin) begin();
      else running -= 1;
    },
  };

  const run = async <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    await slot.acquire();
    try {
      signal?.throwIfAborted();
      return await currentSlot.run(slot, work);
    } finally {
      slot.release();
    }
  };
  return Object.assign(run, { waiting: () => waiting.length });
}

/**
 * Runs a long task that does not use the limited resource. The surrounding task gives up its slot during that time, and
 * queues for another one afterwards. A task can do this once at a time. Outside of any task, it simply runs.
 */
export async function withoutSlot<T>(task: () => Promise<T>): Promise<T> {
  const slot = currentSlot.getStore();
  if (!slot) return task();
  slot.release();
  try {
    return await currentSlot.exit(task);
  } finally {
    await slot.acquire();
  }
}
