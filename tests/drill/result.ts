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
   * The number of clients saved without a row of the audit trail, and the number of findings of `npm run audit:verify`.
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

export function print(rows: Result[]): void {
  const lines = rows.map(({ recovery, slowest, ...counted }) => ({
    ...counted,
    "seconds to recover": recovery.toFixed(2),
    "slowest answer, s": slowest.toFixed(2),
  }));
  const head = Object.keys(lines[0] ?? {});
  for (const line of [head, head.map(() => "---"), ...lines.map(Object.values)]) {
    console.log(`| ${line.join(" | ")} |`);
  }
}
