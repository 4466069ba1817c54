/** The goal of a figure. */
export type Goal = { most: number } | { least: number };

const WIDTH = 62;

export const inMs = (milliseconds: number) => `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
export const inTimes = (ratio: number) => `${ratio.toFixed(2)} ×`;

/** Prints each figure with its goal at once, and counts the goals that are met. */
export class Report {
  readonly #goals: boolean[] = [];

  section(title: string): void {
    console.log(`\n${title}`);
  }

  /** Adds a figure; `shown` is the text of its value. A value that could not be measured is NaN and misses its goal. */
  add(name: string, value: number, shown: string, goal?: Goal): void {
    let verdict = "";
    if (goal) {
      const holds = "most" in goal ? value <= goal.most : value >= goal.least;
      verdict = `${"most" in goal ? `≤ ${goal.most}` : `≥ ${goal.least}`}: ${holds ? "yes" : "NO"}`;
      this.#goals.push(holds);
    }
    console.log(`  ${name.padEnd(WIDTH)} ${shown.padEnd(28)} ${verdict}`.trimEnd());
  }

  summary(): string {
    return `${this.#goals.filter(Boolean).length} of ${this.#goals.length} goals hold.`;
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
