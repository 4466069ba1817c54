import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";
import { requestContext } from "@/lib/core/process/request-context";
import { turns } from "@/lib/core/process/turns";

type Slot = { acquire(signal?: AbortSignal): Promise<void>; release(): void };
const currentSlot = new AsyncLocalStorage<Slot>();

/** The user of the request, else its address; undefined for background work, which has no limit of its own. */
type Owner = number | string | undefined;
const ownerOfRequest = (): Owner => {
  const { userId, address } = requestContext() ?? {};
  return userId ?? address;
};

/**
 * Runs at most `limit` tasks at once, and at most `each` of one user. Others wait: users take turns, and a user's tasks begin
 * in order of arrival. So many tasks of one user delay no other. If a task's `signal` is aborted while the task waits, the
 * task never starts and rejects with the signal's reason. With `full`, a task rejects with `refusal` if
 * `most` of its user's wait. `waiting` returns the number of waiting tasks.
 */
export function limiter(
  limit: number,
  each = limit,
  full: { most: number; refusal: () => Error } | null = null,
) {
  let running = 0;
  const runningOf = new Map<Owner, number>();
  const waiting = turns<Owner, () => void>();

  const hasShare = (owner: Owner) => owner === undefined || (runningOf.get(owner) ?? 0) < each;
  const count = (owner: Owner, change: 1 | -1) => {
    running += change;
    const left = (runningOf.get(owner) ?? 0) + change;
    if (left > 0) runningOf.set(owner, left);
    else runningOf.delete(owner);
  };

  const slotOf = (owner: Owner): Slot => ({
    async acquire(signal) {
      signal?.throwIfAborted();
      if (running < limit && hasShare(owner)) return count(owner, 1);
      if (full && waiting.sizeOf(owner) >= full.most) throw full.refusal();
      await new Promise<void>((begin, refuse) => {
        const start = () => {
          count(owner, 1);
          signal?.removeEventListener("abort", onAbort);
          begin();
        };
        const onAbort = () => {
          if (waiting.remove(owner, start)) refuse(signal?.reason);
        };
        waiting.add(owner, start);
        signal?.addEventListener("abort", onAbort, { once: true });
      });
    },
    release() {
      count(owner, -1);
      waiting.takeNext(hasShare)?.();
    },
  });

  const run = async <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    const slot = slotOf(ownerOfRequest());
    await slot.acquire(signal);
    try {
      return await currentSlot.run(slot, work);
    } finally {
      slot.release();
    }
  };
  return Object.assign(run, { waiting: waiting.size });
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
