import { cpus } from "node:os";

/** On an idle machine, a test that waits this long waits forever. */
const QUIET_MS = 120_000;
const TICK_MS = 5_000;
/** The share of all cores in use below which the machine is idle: databases and browsers never rest completely. */
const IDLE_SHARE = 0.15;

type Usage = { busy: number; all: number };

function cpuUsage(): Usage {
  const all = cpus().map(({ times }) => times);
  const sum = (one: (typeof all)[number]) => Object.values(one).reduce((a, b) => a + b, 0);
  const total = all.reduce((so, one) => so + sum(one), 0);
  return { all: total, busy: total - all.reduce((so, { idle }) => so + idle, 0) };
}

/**
 * Notices a test run that hangs: for two minutes no test has begun or ended although the machine was idle. While the
 * cores are in use the tests may only be slow, so that time does not count. `end` gets a message that names the running
 * tests.
 */
export class HangWatch {
  private readonly running = new Set<string>();
  private quietMs = 0;
  private last: Usage;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly end: (message: string) => void,
    private readonly usage: () => Usage = cpuUsage,
  ) {
    this.last = usage();
    this.timer = setInterval(() => this.tick(), TICK_MS).unref();
  }

  /** Reports an event of the run. */
  touch(): void {
    this.quietMs = 0;
  }

  begin(name: string): void {
    this.running.add(name);
    this.touch();
  }

  finish(name: string): void {
    this.running.delete(name);
    this.touch();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private tick(): void {
    const now = this.usage();
    const busy = now.busy - this.last.busy;
    const all = now.all - this.last.all;
    this.last = now;
    if (all > 0 && busy / all > IDLE_SHARE) return;
    this.quietMs += TICK_MS;
    if (this.quietMs < QUIET_MS) return;
    this.stop();
    const names = [...this.running].join("\n  ") || "none (setup or teardown)";
    this.end(`The run hangs: no test has begun or ended for two idle minutes. Running tests:\n  ${names}`);
  }
}
