// Runs in the threads of lib/identity/hashing.ts: plain JavaScript, because a thread loads it without a compiler.
import { setPriority } from "node:os";
import bcrypt from "bcryptjs";

// On Linux a priority applies to a single thread: hashing gets a slightly lower one than requests. At 19, the slowest
// other requests took longer than at 5 (npm run bench).
if (process.platform === "linux") setPriority(0, 5);

/** Returns the hash of a password at that cost; with `hash`, true if the password matches it. */
export default ({ password, hash, cost }) =>
  hash ? bcrypt.compareSync(password, hash) : bcrypt.hashSync(password, cost);
