import { describe, expect, test } from "vitest";
import { type Act, joined } from "@/components/ui/acts";

const records = (...ids: number[]) => ids.map((id) => ({ id, label: `Form ${id}` }));
const act = (kind: string, ...ids: number[]): Act => ({
  kind,
  records: records(...ids),
  words: (count) => `${count} ${kind}`,
  undo: async () => {},
});
const ids = ({ records }: Act) => records.map(({ id }) => id);

describe("an action and the one shown before it", () => {
  test.each<[string, Act | null, Act, number[]]>([
    ["counts alone if nothing is shown", null, act("reconciled", 1), [1]],
    ["counts together with actions of its kind", act("reconciled", 1, 2), act("reconciled", 3), [1, 2, 3]],
    ["counts a record once", act("reconciled", 1, 2), act("reconciled", 2, 3), [1, 2, 3]],
    ["counts alone after an action of another kind", act("unreconciled", 1), act("reconciled", 1), [1]],
  ])("%s", (_, before, next, expected) => {
    const both = joined(before, next);
    expect(ids(both)).toEqual(expected);
    expect(both.kind).toBe(next.kind);
    expect(both.undo).toBe(next.undo);
  });
});
