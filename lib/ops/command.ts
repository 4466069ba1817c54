import { explainRefusal } from "@/lib/ops/refused-password";

/** Runs an operator's command with its arguments. An error is shown without its stack, and the exit code is 1. */
export async function runCommand(work: (given: string[]) => Promise<void>): Promise<void> {
  try {
    await work(process.argv.slice(2));
  } catch (thrown) {
    const { DATABASE_URL, DATABASE_OWNER_URL } = process.env;
    const error = explainRefusal(thrown, { DATABASE_URL, DATABASE_OWNER_URL });
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
