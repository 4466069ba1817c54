import { Worker } from "node:worker_threads";
import { afterAll } from "vitest";

// Passwords are hashed at bcrypt's lowest cost, because sign-ins would otherwise take most of the test time.
// The program still requests the full cost from its threads. tests/accounts.test.ts checks that, and hashes
// once at full cost.

/** The cost that the threads use instead of the full one. A test about the wait for threads raises it. */
export const hashing = { cost: 4 };

type Job = { password?: string; hash?: string; cost?: number };

const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function (job: Job, ...rest: []) {
  const { cost } = hashing;
  // No test account has a full-cost hash. Only the dummy hash has one, and it matches no password at any
  // cost.
  const hash = job.hash?.replace("$2b$12$", () => `$2b$${String(cost).padStart(2, "0")}$`);
  const cheap = { ...job, ...(job.cost && { cost }), ...(hash && { hash }) };
  postMessage.call(this, job.password === undefined ? job : cheap, ...rest);
};

afterAll(() => {
  Worker.prototype.postMessage = postMessage;
});
