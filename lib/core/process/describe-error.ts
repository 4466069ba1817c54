import "server-only";
import { errorName, type Frame, framesOf } from "@/lib/core/process/error-frames";
import { PROGRAM_FOLDER } from "@/lib/core/process/program-folder";

/** A thrown value without its message: the class of an error, its code (such as `ECONNREFUSED`), and its place. */
type Thrown = { name: string; code?: string; frames: Frame[] };

/** Returns the parts of a thrown value that may be reported. */
export function describeError(error: unknown): Thrown {
  if (!(error instanceof Error)) return { name: "Error", frames: [] };
  const code = "code" in error ? error.code : undefined;
  return {
    name: errorName(error),
    ...(typeof code === "string" && /^[A-Z0-9_]{1,60}$/.test(code) && { code }),
    frames: framesOf(error, PROGRAM_FOLDER),
  };
}
