// The bars of the benchmark, as data, and the table it prints.

export type Bar = { most: number } | { least: number };

export const BARS = {
  listToBare: { least: 0.6 },
  meToBare: { least: 0.5 },
  readToBare: { least: 0.6 },
  saveToBare: { least: 0.35 },
  firstPageGrowth: { most: 1.5 },
  page400: { most: 3 },
  lastPage: { most: 20 },
  farPageMilliseconds: { most: 500 },
  searchGrowth: { most: 3 },
  similarGrowth: { most: 3 },
  slowestStatement: { most: 150 },
  reportMilliseconds: { most: 2_000 },
  scriptsLogin: { most: 1.3 },
  scriptsLists: { most: 1.5 },
  scriptsNewForm: { most: 1.8 },
  scriptsEdit: { most: 1.8 },
  typing: { most: 50 },
  sorting: { most: 100 },
  nextPage: { most: 80 },
  memoryAtRest: { most: 250 },
  memoryAfterLoad: { most: 350 },
  signInsToQuiet: { most: 1.5 },
  attackedToQuiet: { most: 10 },
  unknownToWrong: { most: 1.1 },
  sealedToUnsealed: { least: 0.8 },
  sealDelay: { most: 2_000 },
  verifySeconds: { most: 60 },
} as const satisfies Record<string, Bar>;

export interface Figure {
  section: string;
  name: string;
  /** The value to compare with the bar, NaN if it could not be measured; `shown` is its text. */
  value: number;
  shown: string;
  bar?: Bar;
}

export const holds = ({ value, bar }: Figure): boolean =>
  !bar || ("most" in bar ? value <= bar.most : value >= bar.least);

export const ms = (milliseconds: number) => `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
export const times = (ratio: number) => (Number.isNaN(ratio) ? "–" : `${ratio.toFixed(2)} ×`);

/** Collects figures and prints each when it is known. */
export class Report {
  readonly figures: Figure[] = [];
  #section = "";

  section(name: string): void {
    this.#section = name;
    console.log(`\n${name}`);
  }

  add(name: string, value: number, shown: string, bar?: Bar): void {
    const figure = { section: this.#section, name, value, shown, ...(bar && { bar }) };
    this.figures.push(figure);
    console.log(`  ${name.padEnd(WIDTH)} ${shown}${bar && !holds(figure) ? "   DOES NOT HOLD" : ""}`);
  }
}

const WIDTH = 62;

/** One table: figure, value, bar, whether it holds. */
export function tableOf(figures: readonly Figure[]): string {
  const lines: string[] = [];
  let section = "";
  for (const figure of figures) {
    if (figure.section !== section) {
      section = figure.section;
      lines.push("", `${section.padEnd(WIDTH)} ${"value".padEnd(40)} ${"bar".padEnd(8)} holds`);
    }
    const { name, shown, bar } = figure;
    const limit = bar ? ("most" in bar ? `≤ ${bar.most}` : `≥ ${bar.least}`) : "";
    const verdict = bar ? (holds(figure) ? "yes" : "NO") : "";
    lines.push(`  ${name.padEnd(WIDTH - 2)} ${shown.padEnd(40)} ${limit.padEnd(8)} ${verdict}`.trimEnd());
  }
  const barred = figures.filter(({ bar }) => bar);
  lines.push("", `${barred.filter(holds).length} of ${barred.length} bars hold.`);
  return lines.join("\n");
}
