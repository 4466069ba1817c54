import "server-only";
import type { Query } from "@/lib/core/database/client";
import type { LeftBlankCell } from "@/lib/transfer/imports/kind";
import { blanksOf, problemsOf, storeFileNote } from "@/lib/transfer/imports/notes";
import { problemKind } from "@/lib/transfer/imports/problem-kinds";
import { valueKey } from "@/lib/transfer/imports/readings";
import type { LeftBlank, ProblemGroup } from "@/lib/transfer/imports/schema";

/** A refused row with its problems, one per line. */
export type Refusal = { number: number; problem: string };

/** The most kinds of problems that are counted, and the first rows of each that are named. */
const GROUPS_MAX = 50;
const ROWS_MAX = 5;

/** Returns the groups with the refusals added, in the order in which they first occurred. */
function groupedProblems(groups: readonly ProblemGroup[], refusals: readonly Refusal[]): ProblemGroup[] {
  const byProblem = new Map(groups.map((group) => [group.problem, { ...group }]));
  for (const { number, problem } of refusals)
    for (const kind of new Set(problem.split("\n").map(problemKind))) {
      const group = byProblem.get(kind);
      if (group) {
        group.count += 1;
        if (group.rows.length < ROWS_MAX) group.rows = [...group.rows, number];
      } else if (byProblem.size < GROUPS_MAX)
        byProblem.set(kind, { problem: kind, count: 1, rows: [number] });
    }
  return [...byProblem.values()];
}

/** Counts the problems of refused rows by kind, in the transaction of their chunk. */
export async function countProblems(
  query: Query,
  importId: number,
  refusals: readonly Refusal[],
): Promise<void> {
  if (refusals.length === 0) return;
  const groups = groupedProblems(await problemsOf(query, importId), refusals);
  await storeFileNote(query, importId, "problems", { groups });
}

/**
 * Returns the values left blank with those of more rows added, in the order in which they first occurred. Beyond the limit,
 * the other values of a field are together, with the text "".
 */
function groupedBlanks(groups: readonly LeftBlank[], blanks: readonly LeftBlankCell[]): LeftBlank[] {
  const keyOf = ({ label, text }: Pick<LeftBlank, "label" | "text">) => `${label}\n${valueKey(text)}`;
  const byValue = new Map(groups.map((group) => [keyOf(group), { ...group }]));
  for (const { number, label, text } of blanks) {
    const isListed = byValue.has(keyOf({ label, text })) || byValue.size < GROUPS_MAX;
    const of = { label, text: isListed ? text : "" };
    const group = byValue.get(keyOf(of)) ?? { ...of, count: 0, rows: [] };
    const firstRows = group.rows.length < ROWS_MAX ? [...group.rows, number] : group.rows;
    byValue.set(keyOf(of), { ...group, count: group.count + 1, rows: firstRows });
  }
  return [...byValue.values()];
}

/** Counts the values that were left blank, in the transaction of their chunk. */
export async function countBlanks(
  query: Query,
  importId: number,
  blanks: readonly LeftBlankCell[],
): Promise<void> {
  if (blanks.length === 0) return;
  await storeFileNote(query, importId, "blanks", {
    blanks: groupedBlanks(await blanksOf(query, importId), blanks),
  });
}
