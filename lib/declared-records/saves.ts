import "server-only";
import type { RemovableKind } from "@/lib/audit/save";
import type { SessionUser } from "@/lib/core/access/permissions";
import type { Query } from "@/lib/core/database/client";
import { merge } from "@/lib/core/database/record-merge";
import { existingSql, missingReferences, referencesOf } from "@/lib/core/database/references";
import { invalidFields, notFound } from "@/lib/core/errors";
import { problemsOnWire } from "@/lib/core/fields/problems";
import { isRemoved } from "@/lib/core/fields/removed-rows";
import { withoutUnasked } from "@/lib/core/fields/shapes";
import { REQUIRED } from "@/lib/core/fields/words";
import { type RecordDeclaration, rowLists } from "@/lib/core/records/declaration";
import { sql } from "@/lib/core/sql";
import { today } from "@/lib/core/text/format";
import { type RecordItem, type RecordValues, updateBody } from "@/lib/declared-records/api-schema";
import type { RecordReads } from "@/lib/declared-records/reads";
import { assertOpen, closedThroughSql } from "@/lib/forms/periods/closed-periods";

/** The values as sent, with the version that the caller has read. */
export type SentRecord = RecordValues & { lockVersion?: number | undefined };

/** The values that a save has locked and read. */
type FoundRecord<Item> = {
  stored: Item | null;
  /** The records that the input refers to and that exist. */
  known: string[] | null;
  closedThrough: string | null;
};

export type RecordSaves<Item extends RecordItem = RecordItem> = RemovableKind<
  SentRecord,
  FoundRecord<Item>,
  RecordValues
>;

/**
 * Returns the values to store, without those of fields that their boxes do not ask, and the problems of the input by path.
 * Throws 409 in a closed period.
 */
export function checkRecord(
  { entity, schema, day }: RecordDeclaration,
  { stored, known, closedThrough }: FoundRecord<RecordItem>,
  sent: SentRecord,
): { values: RecordValues; problems: Record<string, string> } {
  const input = { ...sent, [day]: sent[day] ?? stored?.[day] ?? today() };
  assertOpen(closedThrough, dayIn(stored, day), dayIn(input, day));
  const problems: Record<string, string> = {};
  const values = merge(schema, stored, input, entity, problems);
  for (const { name, facts } of rowLists(schema))
    if (facts.required && !isFilled(values[name])) problems[`${entity}.${name}`] = REQUIRED;
  Object.assign(problems, missingReferences(referencesOf(schema, input, entity), known));
  return { values: withoutUnasked(schema, values), problems };
}

const isFilled = (rows: unknown) => Array.isArray(rows) && !rows.every(isRemoved);

/** Throws 422 if there are problems. */
export function refuseProblems(declaration: RecordDeclaration, problems: Record<string, string>): void {
  if (Object.keys(problems).length > 0)
    throw invalidFields(problemsOnWire(updateBody(declaration), problems));
}

const dayIn = (values: RecordValues | null, day: string) => (values ? String(values[day]) : undefined);

/** Returns how a declared record is saved. */
export function recordSaves<Item extends RecordItem>({
  declaration,
  row,
  json,
  fromRow,
}: RecordReads<Item>): RecordSaves<Item> {
  const { entity, schema, day } = declaration;

  /** Locks the record with this id, if there is one, and then the closed period. */
  async function find(query: Query, actor: SessionUser, id: number | null, input: RecordValues | null) {
    if (id !== null) {
      const locked = await query(sql`SELECT ${fromRow(actor, id)} FOR UPDATE OF ${row}`);
      if (locked.length === 0) throw notFound();
    }
    const references = input ? [...referencesOf(schema, input, entity)] : [];
    const [found] = await query<FoundRecord<Item>>(
      sql`SELECT (SELECT ${json(actor)} ${fromRow(actor, id)}) AS stored,
         ${existingSql(actor, schema, references)} AS known, ${closedThroughSql("FOR SHARE")} AS "closedThrough"`,
    );
    if (!found) throw new Error("A SELECT without FROM returns a row");
    return found;
  }

  return {
    entity,
    schema,
    open: find,
    async openToRemove(query, actor, id) {
      const found = await find(query, actor, id, null);
      assertOpen(found.closedThrough, dayIn(found.stored, day));
      return found;
    },
    prepare(found, sent) {
      const { values, problems } = checkRecord(declaration, found, sent);
      refuseProblems(declaration, problems);
      return values;
    },
  };
}
