/** Runs an operator's command with its arguments. An error is shown without its stack, and the exit code is 1. */
export async function runCommand(work: (given: string[]) => Promise<void>): Promise<void> {
  try {
    await work(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
