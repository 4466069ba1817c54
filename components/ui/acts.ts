/** A record changed by an act; `label` names it in messages. */
export type ActRecord = { id: number; label: string };

/** An act on records that can be undone. */
export type Act = {
  /** Consecutive acts of one kind are counted and undone together. */
  kind: string;
  records: readonly ActRecord[];
  words: (count: number) => string;
  undo: (records: readonly ActRecord[]) => Promise<void>;
};

/** Returns one act that combines `next` with the previous act if both are of one kind, otherwise `next`. */
export function joined(before: Act | null, next: Act): Act {
  if (before?.kind !== next.kind) return next;
  const records = new Map([...before.records, ...next.records].map((record) => [record.id, record]));
  return { ...next, records: [...records.values()] };
}
