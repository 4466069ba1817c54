import { Worker } from "node:worker_threads";

// Passwords are hashed at bcrypt's least cost, because signing in would otherwise take most of the tests' time. The
// program asks its threads for the full cost all the same, which a spy on them sees.

/** What the threads use instead of the full cost; a test that is about waiting for them raises it. */
export const hashing = { cost: 4 };

type Job = { password?: string; hash?: string; cost?: number };

const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function (job: Job, ...rest: []) {
  const { cost } = hashing;
  // No account of a test has a hash of full cost: it is the one that fits no password, and fits none at any cost.
  const hash = job.hash?.replace("$2b$12$", () => `$2b$${String(cost).padStart(2, "0")}$`);
  const cheap = { ...job, ...(job.cost && { cost }), ...(hash && { hash }) };
  postMessage.call(this, job.password === undefined ? job : cheap, ...rest);
};
