import { Piscina } from "piscina";
import { afterAll } from "vitest";

// Passwords are hashed at bcrypt's lowest cost, because sign-ins would otherwise take most of the test time.
// The program still requests the full cost from its threads. tests/accounts.test.ts checks that, and hashes
// once at full cost.

/** The cost that the threads use instead of the full one. A test about the wait for threads raises it. */
export const hashing = { cost: 4 };

type Job = { password: string; hash?: string; cost?: number };

const { run } = Piscina.prototype;
Piscina.prototype.run = function (job: Job, ...rest) {
  const { cost } = hashing;
  // No test account has a full-cost hash. Only the dummy hash has one, and it matches no password at any
  // cost.
  const hash = job.hash?.replace("$2b$12$", () => `$2b$${String(cost).padStart(2, "0")}$`);
  return run.call(this, { ...job, ...(job.cost && { cost }), ...(hash && { hash }) }, ...rest);
};

afterAll(() => {
  Piscina.prototype.run = run;
});
