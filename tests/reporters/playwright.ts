import { writeFileSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { FullConfig, Reporter, Suite, TestCase, TestError } from "@playwright/test/reporter";
import { HangWatch } from "@/tests/reporters/hang";
import type { Tally } from "@/tests/run";

const nameOf = (test: TestCase) => test.titlePath().filter(Boolean).join(" › ");
const wordsOf = (error: TestError | undefined, otherwise: string) =>
  stripVTControlCharacters(error?.message ?? otherwise);

/**
 * Writes the run's tally to the file in TALLY_FILE. A test that passed only after a retry has failed. Ends a run that
 * hangs: the tests that were running count as failed.
 */
export default class PlaywrightTally implements Reporter {
  private watch: HangWatch | undefined;
  private tests: TestCase[] = [];
  private folder = "";
  private readonly failures: string[] = [];

  onBegin({ rootDir }: FullConfig, suite: Suite): void {
    this.folder = rootDir;
    this.tests = suite.allTests();
    this.watch = new HangWatch((message) => {
      console.error(message);
      // SIGINT, like Ctrl-C, still stops servers and databases of the run.
      process.kill(process.pid, "SIGINT");
    });
  }

  onTestBegin(test: TestCase): void {
    this.watch?.begin(nameOf(test));
  }

  onTestEnd(test: TestCase): void {
    this.watch?.finish(nameOf(test));
  }

  onStepBegin(): void {
    this.watch?.touch();
  }

  onError(error: TestError): void {
    this.failures.push(wordsOf(error, "an error outside of tests"));
  }

  onEnd(): void {
    this.watch?.stop();
    const failed = this.tests.filter((test) => test.outcome() !== "expected");
    for (const test of failed) {
      const place = `${path.relative(this.folder, test.location.file)}:${test.location.line}`;
      this.failures.push(`${place} › ${test.title}: ${wordsOf(test.results[0]?.error, test.outcome())}`);
    }
    const tally: Tally = { passed: this.tests.length - failed.length, failures: this.failures };
    writeFileSync(process.env.TALLY_FILE ?? "", JSON.stringify(tally));
  }
}
