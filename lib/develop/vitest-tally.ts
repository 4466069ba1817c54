import { writeFileSync } from "node:fs";
import type { Reporter, SerializedError, TestModule } from "vitest/node";
import type { Tally } from "@/lib/develop/tally";

/** Writes the run's tally to the file that TALLY_FILE names: tests, files that did not load, and errors of no test. */
export default class VitestTally implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const tally: Tally = { passed: 0, failures: [] };
    for (const module of modules) {
      for (const error of module.errors())
        tally.failures.push(`${module.relativeModuleId}: ${error.message}`);
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === "passed") tally.passed++;
        else
          tally.failures.push(
            `${module.relativeModuleId} › ${test.fullName}: ${errors?.[0]?.message ?? state}`,
          );
      }
    }
    for (const error of unhandled)
      tally.failures.push(`an error that no test caught: ${error.stack ?? error.message}`);
    writeFileSync(process.env.TALLY_FILE ?? "", JSON.stringify(tally));
  }
}
