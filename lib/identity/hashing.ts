import "server-only";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { tooMany } from "@/lib/core/api/errors";
import { type FairQueue, fairQueue, inTurn } from "@/lib/core/server/fair-queue";
import { withoutSlot } from "@/lib/core/server/limiter";
import { processWide } from "@/lib/core/server/process-wide";
import { PROGRAM_FOLDER } from "@/lib/core/server/program-folder";
import { requestContext } from "@/lib/core/server/request-context";
import { networkOf } from "@/lib/core/server/subnets";

/**
 * bcrypt runs in worker threads: on the main thread, sixteen simultaneous sign-ins would stall everything else for 1.6
 * s. One core is left for requests and the database.
 */
const THREADS = Math.min(2, Math.max(1, availableParallelism() - 1));
/** Above this queue length new callers are refused at once: the last in the queue already waits half a minute. */
const MAX_WAITING = 100;
const COST = 12;
/** The hash of a password that nobody knows. Comparing with it takes as long as comparing with a real one. */
const DUMMY_HASH = "$2b$12$bki1Yiy.3ZBrC9sbbMMMKuA7sY5DU4De3eClP/vaSVnCH8ibYfiX.";

// CommonJS in a string, because a bundler moves files around. Its own `require` resolves from the working directory, so
// the package is looked up in the program's folder. On Linux a priority applies to a single thread: hashing gets a slightly lower one than requests. At
// 19, the slowest other requests took longer than at 5 (npm run bench).
const WORKER = `
  const { parentPort, workerData } = require("node:worker_threads");
  if (process.platform === "linux") require("node:os").setPriority(0, 5);
  const bcrypt = require("node:module").createRequire(workerData.folder)("bcryptjs");
  parentPort.on("message", ({ password, hash, cost }) => {
    parentPort.postMessage(hash ? bcrypt.compareSync(password, hash) : bcrypt.hashSync(password, cost));
  });
`;

type Job = { password: string; hash: string } | { password: string; cost: number };
type Run = (job: Job) => Promise<unknown>;

/** The threads are shared by the whole process, even though Next loads this module in several bundles. */
type Waiting = FairQueue<Worker | undefined>;
type Threads = {
  idle: Worker[];
  busy: number;
  /** Devices wait apart from addresses, of which an attacker has enough to fill a queue. */
  waiting: Record<Caller["by"], Waiting>;
  next: Waiting["next"];
};
const state = processWide("hashing", (): Threads => {
  const waiting: Threads["waiting"] = { device: fairQueue(MAX_WAITING), address: fairQueue(MAX_WAITING) };
  return { idle: [], busy: 0, waiting, next: inTurn([waiting.device, waiting.address]) };
});

/** Who waits for a thread: a browser that has signed this user in before, or else an address. */
export type Caller = { by: "device" | "address"; name: string };

export const callerAt = (address: string): Caller => ({ by: "address", name: networkOf(address) });

/**
 * Runs `task` with a worker thread as soon as one is free; the callers that wait take turns. Callers that wait for a
 * thread do not hold a database connection. 429 when the queue is full and the caller holds most of it.
 */
const withThread = <T>(caller: Caller, task: (run: Run) => Promise<T>): Promise<T> =>
  withoutSlot(() => lendThread(caller, task));

async function lendThread<T>({ by, name }: Caller, task: (run: Run) => Promise<T>): Promise<T> {
  let thread = state.busy < THREADS ? free() : await state.waiting[by].wait(name, () => tooMany(10));
  thread ??= start();
  const used = thread;
  try {
    return await task(async (job) => {
      used.ref();
      used.postMessage(job);
      // Rejects when the thread ends with an error.
      const [result] = await once(used, "message").catch((error) => {
        thread = undefined;
        throw error;
      });
      used.unref();
      return result;
    });
  } finally {
    // Passed on while still counted as busy, so that a caller arriving just now cannot take it out of turn.
    if (!state.next(thread)) {
      state.busy -= 1;
      if (thread) state.idle.push(thread);
    }
  }
}

function free(): Worker | undefined {
  state.busy += 1;
  return state.idle.pop();
}

function start(): Worker {
  const thread = new Worker(WORKER, {
    eval: true,
    execArgv: [],
    workerData: { folder: path.join(PROGRAM_FOLDER, "package.json") },
  });
  // An idle thread must not keep the process alive.
  thread.unref();
  return thread;
}

/** The bcrypt hash of a password in NFC. The password rules limit it to the 72 bytes that bcrypt uses. */
export const hashPassword = (password: string): Promise<string> =>
  withThread(
    callerAt(requestContext()?.address ?? ""),
    (run) => run({ password: password.normalize("NFC"), cost: COST }) as Promise<string>,
  );

export type Compare = (password: string, hash: string | null) => Promise<boolean>;

/**
 * Gives `task` a function that compares a password with a hash, when it is this caller's turn. Without a hash,
 * comparing takes as long and returns false; the same for passwords longer than the 72 bytes that bcrypt uses.
 */
export const withCompare = <T>(caller: Caller, task: (compare: Compare) => Promise<T>): Promise<T> =>
  withThread(caller, (run) =>
    task(async (password, hash) => {
      // The password as typed is compared second: old hashes may have been made before NFC was required.
      let matches = false;
      for (const form of new Set([password.normalize("NFC"), password])) {
        const fits = Buffer.byteLength(form) <= 72;
        const same = await run({ password: fits ? form : "", hash: hash ?? DUMMY_HASH });
        matches ||= same === true && fits && hash !== null;
      }
      return matches;
    }),
  );
