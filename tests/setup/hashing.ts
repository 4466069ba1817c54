import { Piscina } from "piscina";
import { afterAll } from "vitest";

// Passwords are hashed at bcrypt's lowest cost, because signing in would otherwise take most of the tests' time. The
// program still asks its threads for the full cost; tests/accounts.test.ts checks that, and hashes once at full cost.

/** The cost that the threads use instead of the full one; a test about waiting for them raises it. */
export const hashing = { cost: 4 };

type Job = { password: string; hash?: string; cost?: number };

const { run } = Piscina.prototype;
Piscina.prototype.run = function (job: Job, ...rest) {
  const { cost } = hashing;
  // No account of a test has a hash of full cost: it is the one that fits no password, and fits none at any cost.
  const hash = job.hash?.replace("$2b$12$", () => `$2b$${String(cost).padStart(2, "0")}$`);
  return run.call(this, { ...job, ...(job.cost && { cost }), ...(hash && { hash }) }, ...rest);
};

afterAll(() => {
  Piscina.prototype.run = run;
});
