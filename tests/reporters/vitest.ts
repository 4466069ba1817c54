import { writeFileSync } from "node:fs";
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite, Vitest } from "vitest/node";
import { HangWatch } from "@/tests/reporters/hang";
import type { Tally } from "@/tests/run";

const nameOfSuite = (suite: TestModule | TestSuite) => (suite.type === "suite" ? ` › ${suite.fullName}` : "");
const nameOf = ({ module, fullName }: TestCase) => `${module.relativeModuleId} › ${fullName}`;

/**
 * Writes the run's tally to the file in TALLY_FILE: tests, files that did not load, and errors outside of tests. Ends a
 * run that hangs.
 */
export default class VitestTally implements Reporter {
  private watch: HangWatch | undefined;
  private readonly tally: Tally = { passed: 0, failures: [] };

  onInit(vitest: Vitest): void {
    this.watch = new HangWatch((message) => {
      console.error(message);
      this.tally.failures.push(message);
      this.write();
      process.exitCode = 1;
      // An exit in this way still stops databases and servers of the run.
      void vitest.exit(true);
    });
  }

  onTestModuleStart({ relativeModuleId }: TestModule): void {
    this.watch?.begin(relativeModuleId);
  }

  onTestModuleEnd({ relativeModuleId }: TestModule): void {
    this.watch?.finish(relativeModuleId);
  }

  onTestCaseReady(test: TestCase): void {
    this.watch?.begin(nameOf(test));
  }

  onTestCaseResult(test: TestCase): void {
    this.watch?.finish(nameOf(test));
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    this.watch?.stop();
    const { tally } = this;
    for (const module of modules) {
      // The errors of a suite are those of its hooks, which leave its tests skipped.
      for (const suite of [module, ...module.children.allSuites()]) {
        for (const error of suite.errors())
          tally.failures.push(`${module.relativeModuleId}${nameOfSuite(suite)}: ${error.message}`);
      }
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === "passed") tally.passed++;
        else tally.failures.push(`${nameOf(test)}: ${errors?.[0]?.message ?? state}`);
      }
    }
    for (const error of unhandled)
      tally.failures.push(`an error that no test caught: ${error.stack ?? error.message}`);
    this.write();
  }

  private write(): void {
    writeFileSync(process.env.TALLY_FILE ?? "", JSON.stringify(this.tally));
  }
}
