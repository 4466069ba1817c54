/** A goal that a figure is held against. */
export type Goal = { most: number } | { least: number };

interface Figure {
  name: string;
  /** The value that the goal limits, NaN if it could not be measured; `shown` is its text. */
  value: number;
  shown: string;
  goal?: Goal | undefined;
}

const WIDTH = 62;

const holds = ({ value, goal }: Figure): boolean =>
  !goal || ("most" in goal ? value <= goal.most : value >= goal.least);

export const inMs = (milliseconds: number) => `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
export const inTimes = (ratio: number) => `${ratio.toFixed(2)} ×`;

/** Prints each figure as soon as it is known, with its goal, and counts the goals that hold. */
export class Report {
  readonly #figures: Figure[] = [];

  section(title: string): void {
    console.log(`\n${title}`);
  }

  add(name: string, value: number, shown: string, goal?: Goal): void {
    const figure = { name, value, shown, goal };
    this.#figures.push(figure);
    const limit = goal ? ("most" in goal ? `≤ ${goal.most}` : `≥ ${goal.least}`) : "";
    const verdict = goal ? `${limit}: ${holds(figure) ? "yes" : "NO"}` : "";
    console.log(`  ${name.padEnd(WIDTH)} ${shown.padEnd(28)} ${verdict}`.trimEnd());
  }

  summary(): string {
    const withGoal = this.#figures.filter(({ goal }) => goal);
    return `${withGoal.filter(holds).length} of ${withGoal.length} goals hold.`;
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Runs `rounds` of each task in turns, so that other load on the machine affects all alike. Returns their medians. */
export async function mediansInTurns(
  rounds: number,
  tasks: readonly (() => Promise<number>)[],
): Promise<number[]> {
  const results: number[][] = tasks.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, task] of tasks.entries()) results[index]?.push(await task());
  }
  return results.map(median);
}
