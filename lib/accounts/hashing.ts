import "server-only";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { AppError } from "@/lib/api/errors";
import { aside } from "@/lib/server/limiter";
import { processWide } from "@/lib/server/process-wide";

/**
 * bcrypt in worker threads: on the main thread, sixteen sign-ins at once stall everything else for 1.6 s. One
 * core is left to the requests and the database.
 */
const THREADS = Math.min(2, Math.max(1, availableParallelism() - 1));
/** Whoever comes when so many wait already is sent away at once: the last of them waits for half a minute. */
const MAX_WAITING = 100;
const COST = 12;
/** The hash of a password that nobody knows: comparing with it takes as long as comparing with a real one. */
const DUMMY_HASH = "$2b$12$bki1Yiy.3ZBrC9sbbMMMKuA7sY5DU4De3eClP/vaSVnCH8ibYfiX.";

// CommonJS as a string, since a bundler moves files about; its `require` looks from the working directory, the
// project's. On Linux a priority belongs to a thread: hashing yields to requests, but only a little: at 19 the
// slowest of the others took longer than at 5 (npm run bench).
const WORKER = `
  const { parentPort } = require("node:worker_threads");
  if (process.platform === "linux") require("node:os").setPriority(0, 5);
  const bcrypt = require("bcryptjs");
  parentPort.on("message", ({ password, hash, cost }) => {
    parentPort.postMessage(hash ? bcrypt.compareSync(password, hash) : bcrypt.hashSync(password, cost));
  });
`;

type Job = { password: string; hash: string } | { password: string; cost: number };
type Run = (job: Job) => Promise<unknown>;

/** The threads are the process's, whichever of Next's bundles asks for them. */
type Threads = { idle: Worker[]; busy: number; waiting: ((thread: Worker | undefined) => void)[] };
const state = processWide("hashing", (): Threads => ({ idle: [], busy: 0, waiting: [] }));

/**
 * Runs `task` as soon as a thread is free and lends it that thread; first come, first served. Those who wait for
 * one keep no other request from the database.
 */
const withThread = <T>(task: (run: Run) => Promise<T>): Promise<T> => aside(() => lendThread(task));

async function lendThread<T>(task: (run: Run) => Promise<T>): Promise<T> {
  let thread = state.busy < THREADS ? free() : await turn();
  thread ??= start();
  const used = thread;
  try {
    return await task(async (job) => {
      used.ref();
      used.postMessage(job);
      // Rejects when the thread dies of an error.
      const [result] = await once(used, "message").catch((error) => {
        thread = undefined;
        throw error;
      });
      used.unref();
      return result;
    });
  } finally {
    // Handed over while still counted as busy, so that nobody who comes just now slips in between.
    const next = state.waiting.shift();
    if (next) next(thread);
    else {
      state.busy -= 1;
      if (thread) state.idle.push(thread);
    }
  }
}

function free(): Worker | undefined {
  state.busy += 1;
  return state.idle.pop();
}

function turn(): Promise<Worker | undefined> {
  if (state.waiting.length >= MAX_WAITING) {
    throw new AppError("unavailable", "Too many people are signing in at the moment. Please try again.", {
      headers: { "Retry-After": "10" },
    });
  }
  return new Promise((resolve) => state.waiting.push(resolve));
}

function start(): Worker {
  const thread = new Worker(WORKER, { eval: true, execArgv: [] });
  // A waiting thread is no reason for a process to stay.
  thread.unref();
  return thread;
}

/** The bcrypt hash of a password that the rules allow (they bound it to bcrypt's 72 bytes), of its NFC. */
export const hashPassword = (password: string): Promise<string> =>
  withThread((run) => run({ password: password.normalize("NFC"), cost: COST }) as Promise<string>);

export type Compare = (password: string, hash: string | null) => Promise<boolean>;

/**
 * Lends a way to compare passwords, as soon as it is this caller's turn. Without a hash it takes as long and
 * answers false; so does a password past bcrypt's 72 bytes, of which bcrypt would ignore the rest.
 */
export const withCompare = <T>(task: (compare: Compare) => Promise<T>): Promise<T> =>
  withThread((run) =>
    task(async (password, hash) => {
      // A password as it was typed comes second: it may have been hashed so before NFC was agreed on.
      let matches = false;
      for (const form of new Set([password.normalize("NFC"), password])) {
        const fits = Buffer.byteLength(form) <= 72;
        const same = await run({ password: fits ? form : "", hash: hash ?? DUMMY_HASH });
        matches ||= same === true && fits && hash !== null;
      }
      return matches;
    }),
  );
