import "server-only";
import { availableParallelism } from "node:os";
import path from "node:path";
import { Piscina } from "piscina";
import { tooMany } from "@/lib/core/errors";
import { alternateQueues, type FairQueue, fairQueue } from "@/lib/core/process/fair-queue";
import { withoutSlot } from "@/lib/core/process/limiter";
import { logError } from "@/lib/core/process/log";
import { PROGRAM_FOLDER } from "@/lib/core/process/program-folder";
import { requestContext } from "@/lib/core/process/request-context";
import { networkOf } from "@/lib/core/process/subnets";
import { processWide } from "@/lib/core/process-wide";

/**
 * bcrypt runs in worker threads. On the main thread, sixteen simultaneous sign-ins would block everything else for 1.6
 * s. One core is left for requests and the database.
 */
const THREADS = Math.min(2, Math.max(1, availableParallelism() - 1));
/** A longer queue refuses new callers at once, because its last caller already waits half a minute. */
const MAX_WAITING = 100;
const COST = 12;
/** The hash of an unknown password. Comparing with it takes as long as comparing with a real one. */
const DUMMY_HASH = "$2b$12$bki1Yiy.3ZBrC9sbbMMMKuA7sY5DU4De3eClP/vaSVnCH8ibYfiX.";

/** An idle thread ends after this time. The next caller then waits 50 ms for a new one. */
const IDLE_MS = 10 * 60_000;
/** Far more time than one password takes on a busy machine. A thread that exceeds it is replaced. */
const RUN_MS = 120_000;

type Job = { password: string; hash: string } | { password: string; cost: number };
type Run = (job: Job) => Promise<unknown>;

/** The whole process shares the threads, although Next loads this module in several bundles. */
type Waiting = FairQueue<void>;
type Threads = {
  pool: Piscina<Job, unknown>;
  busy: number;
  /** Devices and addresses have separate queues, because an attacker has enough addresses to fill one. */
  waiting: Record<Caller["by"], Waiting>;
  next: Waiting["next"];
};
const state = processWide("hashing", (): Threads => {
  const waiting: Threads["waiting"] = { device: fairQueue(MAX_WAITING), address: fairQueue(MAX_WAITING) };
  // A bundler moves this module elsewhere, so the file is found from the program's folder.
  const filename = path.join(PROGRAM_FOLDER, "lib/identity/hash-worker.mjs");
  const pool = new Piscina<Job, unknown>({
    filename,
    minThreads: 0,
    maxThreads: THREADS,
    idleTimeout: IDLE_MS,
    execArgv: [],
    recordTiming: false,
  });
  // Without a listener, a thread that cannot start would leave its caller waiting forever.
  pool.on("error", (error: unknown) => logError(error, "A hashing thread failed"));
  return { pool, busy: 0, waiting, next: alternateQueues([waiting.device, waiting.address]) };
});

/** Returns the number of callers that wait for a thread. */
export const waitingForHash = (): number => state.waiting.device.size() + state.waiting.address.size();

/** The caller in the queue: a browser that has signed this user in before, or else an address. */
type Caller = { by: "device" | "address"; name: string };

export const callerAt = (address: string): Caller => ({ by: "address", name: networkOf(address) });

/**
 * Runs `task` with a worker thread as soon as one is free. Waiting callers take turns and hold no database connection.
 * Throws 429 if the queue is full and the caller has most of its entries.
 */
const withThread = <T>(caller: Caller, task: (run: Run) => Promise<T>): Promise<T> =>
  withoutSlot(() => lendThread(caller, task));

async function lendThread<T>({ by, name }: Caller, task: (run: Run) => Promise<T>): Promise<T> {
  if (state.busy < THREADS) state.busy += 1;
  else await state.waiting[by].wait(name, () => tooMany(10));
  try {
    return await task((job) => state.pool.run(job, { signal: AbortSignal.timeout(RUN_MS) }));
  } finally {
    // The thread goes to the next caller while it still counts as busy. So a new caller cannot take it out of turn.
    if (!state.next()) state.busy -= 1;
  }
}

/** Returns the bcrypt hash of a password in NFC. The password rules limit it to the 72 bytes that bcrypt uses. */
export const hashPassword = (password: string): Promise<string> =>
  withThread(callerAt(requestContext()?.address ?? ""), async (run) =>
    String(await run({ password: password.normalize("NFC"), cost: COST })),
  );

export type Compare = (password: string, hash: string | null) => Promise<boolean>;

/**
 * Calls `task` in the caller's turn with a function that compares a password with a hash. Without a hash, or with a
 * password over bcrypt's 72 bytes, it takes as long and returns false.
 */
export const withCompare = <T>(caller: Caller, task: (compare: Compare) => Promise<T>): Promise<T> =>
  withThread(caller, (run) =>
    task(async (password, hash) => {
      // The password as typed is compared second: old hashes may be from before NFC was required.
      let matches = false;
      for (const form of new Set([password.normalize("NFC"), password])) {
        const fits = Buffer.byteLength(form) <= 72;
        const same = await run({ password: fits ? form : "", hash: hash ?? DUMMY_HASH });
        matches ||= same === true && fits && hash !== null;
      }
      return matches;
    }),
  );
