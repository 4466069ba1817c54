import { Piscina } from "piscina";

// Passwords are hashed at bcrypt's lowest cost, because sign-ins would otherwise take most of the test time.
// The program still requests the full cost from its threads. tests/accounts.test.ts checks that, and hashes
// once at full cost.

type Job = { password: string; hash?: string; cost?: number };

/** Makes the threads use the returned cost. */
function replaceCost(): { cost: number } {
  const replaced = { cost: 4 };
  const { run } = Piscina.prototype;
  Piscina.prototype.run = function (job: Job, ...rest) {
    const { cost } = replaced;
    // No test account has a full-cost hash. Only the dummy hash has one, and it matches no password at any
    // cost.
    const hash = job.hash?.replace("$2b$12$", () => `$2b$${String(cost).padStart(2, "0")}$`);
    return run.call(this, { ...job, ...(job.cost && { cost }), ...(hash && { hash }) }, ...rest);
  };
  return replaced;
}

const globals = globalThis as typeof globalThis & { hashing?: { cost: number } };
globals.hashing ??= replaceCost();

/**
 * The cost that the threads use instead of the full one. A test about the wait for threads raises it. A worker has one for
 * all its files: after each file, Vitest restores what any file before has spied on, so that a second replacement would
 * run the first one too.
 */
export const { hashing } = globals;
hashing.cost = 4;
