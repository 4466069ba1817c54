// The counted effects of a fault of `npm run drill`.

export interface Result {
  fault: string;
  saves: number;
  /** The number of times each save was sent. */
  requests: number;
  acknowledged: number;
  found: number;
  lost: number;
  doubled: number;
  /**
   * The number of records whose saves are not each in the audit trail once, and the number of findings of
   * `npm run audit:verify`.
   */
  unaudited: number;
  findings: number;
  /** From the end of the fault to the first acknowledged save. */
  recovery: number;
  /** The slowest response during the fault. A missing response counts as the 10 s that clients wait. */
  slowest: number;
}

export interface Log {
  fault: string;
  /** Saves by the kind of record, its name, and if it is its change: `client drill000001 changed`. */
  sent: string[];
  acknowledged: string[];
  acknowledgedAt: number[];
  /** The milliseconds of each response. */
  answers: number[];
}

export function newLog(fault: string): Log {
  return { fault, sent: [], acknowledged: [], acknowledgedAt: [], answers: [] };
}

export function tally({ fault, sent, acknowledged, answers }: Log, found: string[]) {
  const distinct = new Set(found);
  return {
    fault,
    saves: sent.length,
    requests: answers.length,
    acknowledged: acknowledged.length,
    found: distinct.size,
    lost: acknowledged.filter((name) => !distinct.has(name)).length,
    doubled: found.length - distinct.size,
    slowest: Math.max(...answers) / 1000,
  };
}

export const print = (rows: Result[]): void =>
  printTable(
    rows.map(({ recovery, slowest, ...counted }) => ({
      ...counted,
      "seconds to recover": recovery.toFixed(2),
      "slowest answer, s": slowest.toFixed(2),
    })),
  );

/** The number of saves of each kind of record, of all faults. */
export type Kinds = Map<string, { saves: number; acknowledged: number }>;

/** Adds the saves of a fault to those of each kind. */
export function addKinds(kinds: Kinds, { sent, acknowledged }: Log): void {
  const count = (saves: string[], field: "saves" | "acknowledged") => {
    for (const save of saves) {
      const [kind = ""] = save.split(" ");
      const counted = kinds.get(kind) ?? { saves: 0, acknowledged: 0 };
      counted[field]++;
      kinds.set(kind, counted);
    }
  };
  count(sent, "saves");
  count(acknowledged, "acknowledged");
}

export const printKinds = (kinds: Kinds): void =>
  printTable([...kinds].map(([kind, counted]) => ({ kind, ...counted })));

function printTable(lines: object[]): void {
  const head = Object.keys(lines[0] ?? {});
  for (const line of [head, head.map(() => "---"), ...lines.map(Object.values)]) {
    console.log(`| ${line.join(" | ")} |`);
  }
}
