import type { Reporter, TestCase } from "@playwright/test/reporter";
import { HangWatch } from "@/lib/dev/hang";

const nameOf = (test: TestCase) => test.titlePath().filter(Boolean).join(" › ");

/** Ends a Playwright run that hangs. The tests that were running count as failed. */
export default class PlaywrightWatch implements Reporter {
  private watch: HangWatch | undefined;

  onBegin(): void {
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

  onEnd(): void {
    this.watch?.stop();
  }
}
