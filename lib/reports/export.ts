import "server-only";
import * as z from "zod/mini";
import { differences } from "@/lib/audit/changes";
import { listedTable } from "@/lib/audit/list-export";
import { auditRead } from "@/lib/audit/record";
import { contactStore } from "@/lib/contacts/contacts";
import { contacts as contactRecord } from "@/lib/contacts/record";
import type { SessionUser } from "@/lib/core/access/permissions";
import type { Table } from "@/lib/core/api/files";
import type { InFile } from "@/lib/core/api/list-file";
import type { List } from "@/lib/core/database/list";
import type { Cells } from "@/lib/core/fields/columns";
import { sql } from "@/lib/core/sql";
import { type RecordItem, recordQuery } from "@/lib/declared-records/api-schema";
import type { RecordStore } from "@/lib/declared-records/store";
import { eventStore } from "@/lib/events/events";
import { formListQuery } from "@/lib/forms/api-schema";
import { listedForms } from "@/lib/forms/columns";
import { formsList } from "@/lib/forms/list";
import { surveyStore } from "@/lib/outcomes/surveys";
import { type BlockName, lineOf, listedBlock, type ReportKey } from "@/lib/reports/definitions";
import { countedNights } from "@/lib/reports/records";
import { parseGap, readGapRecords, readLineRecords } from "@/lib/reports/reports";
import type { Behind, ReportQuery } from "@/lib/reports/schema";
import { type Stay, stayListQuery } from "@/lib/shelter/api-schema";
import { listedStays } from "@/lib/shelter/columns";
import { stayReads } from "@/lib/shelter/list";

/** Returns the name of a file with numbers: its period, and the ids of its filters. */
export const fileName = (
  name: string,
  { from, to, userId, formTypeId, share }: ReportQuery & { share?: boolean },
): string =>
  [
    ...[name, from, to],
    ...(userId === null ? [] : [`advocate-${userId}`]),
    ...(formTypeId === null ? [] : [`type-${formTypeId}`]),
    ...(share ? ["copy"] : []),
  ].join("-");

/** Returns a CSV file as a download and records the export. `name` must not identify anyone. */
export async function downloadCsv(
  actor: SessionUser,
  report: ReportKey | "time",
  { from, to }: ReportQuery,
  { name, text }: { name: string; text: string },
): Promise<Response> {
  const changes = differences("report", {}, { report, from, to });
  await auditRead(actor, { action: "exported", entity: "report", changes });
  return new Response(text, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}.csv"`,
    },
  });
}

type Records = InFile<ReportQuery>;

/** `GET /api/reports/{key}/lines/{lineKey}/records.csv`: the records behind a number that the actor may see. */
export async function exportLine(actor: SessionUser, report: ReportKey, lineKey: string, asked: Records) {
  const behind = await readLineRecords(actor, report, lineKey, asked);
  return recordsTable(actor, behind, {
    block: lineOf(report, lineKey)?.block,
    name: `${report}-${lineKey}`,
    asked,
  });
}

/** The same for a gap. */
export async function exportGap(actor: SessionUser, report: ReportKey, field: string, asked: Records) {
  const gap = parseGap(report, field);
  const behind = await readGapRecords(actor, report, gap, asked);
  return recordsTable(actor, behind, { block: listedBlock(gap), name: `${report}-gap-${field}`, asked });
}

/**
 * Returns the records behind a number as a table and records the export: contacts or stays, or forms ordered by client.
 * A second kind of record follows, with columns of its own.
 */
async function recordsTable(
  actor: SessionUser,
  { clients, forms, stays, contacts, events, surveys }: Behind,
  { block, name, asked }: { block: BlockName | undefined; name: string; asked: Records },
): Promise<Table> {
  const { from, to, format } = asked;
  const file = `${name}-${from}-${to}`;
  if (block === "contacts") {
    const query = { ...z.parse(recordQuery(contactRecord), { order: "asc", filters: {} }), format };
    const list = contactStore.listOf(actor, query);
    const ofContacts = await listedTable(
      file,
      { actor, entity: "contact", only: contacts ?? [], list, query },
      contactStore.cells,
    );
    if (forms.length === 0) return ofContacts;
    return joined("Contact:", ofContacts, "Form:", await formsTable(actor, file, { clients, forms, format }));
  }
  if (block === "events") return declaredTable(actor, file, { store: eventStore, only: events, format });
  if (block === "surveys") return declaredTable(actor, file, { store: surveyStore, only: surveys, format });
  if (block === "shelter") return staysTable(actor, file, stays ?? [], asked);
  const ofForms = await formsTable(actor, file, { clients, forms, format });
  return block === "victims" && stays
    ? joined("Form:", ofForms, "Stay:", await staysTable(actor, file, stays, asked))
    : ofForms;
}

/** Returns declared records as a table by day. */
function declaredTable<Item extends RecordItem>(
  actor: SessionUser,
  name: string,
  {
    store,
    only = [],
    format,
  }: { store: RecordStore<Item>; only?: readonly number[] | undefined } & Pick<Records, "format">,
): Promise<Table> {
  const { declaration, cells } = store;
  const query = { ...z.parse(recordQuery(declaration), { order: "asc", filters: {} }), format };
  const list = store.listOf(actor, query);
  return listedTable<RecordItem>(name, { actor, entity: declaration.entity, only, list, query }, cells);
}

/** Returns forms as a table by client. */
function formsTable(
  actor: SessionUser,
  name: string,
  { clients, forms, format }: Pick<Behind, "clients" | "forms"> & Pick<Records, "format">,
): Promise<Table> {
  const query = { ...formListQuery.parse({ sort: "client", filters: { formStatus: "all" } }), format };
  const all = formsList(actor, query);
  // As on the screen, clients with equal names are not mixed.
  const list: List = { ...all, sorts: { client: { keys: [sql`f.client_name`, sql`f.client_id`] } } };
  return listedTable(name, { actor, entity: "form", clients, only: forms, list, query }, listedForms());
}

type CountedStay = Stay & { nights: number };
const STAYS_WITH_NIGHTS: Cells<CountedStay> = [...listedStays, ["Nights", ({ nights }) => nights]];

/** Returns stays as a table by day, with their nights in the period. */
function staysTable(
  actor: SessionUser,
  name: string,
  only: readonly number[],
  { format, ...period }: Records,
) {
  const query = { ...stayListQuery.parse({ order: "asc", filters: {} }), format };
  const list: List = {
    ...stayReads.listOf(actor, query),
    joins: sql`LEFT JOIN (${countedNights(actor, period)}) AS counted ON counted.stay_id = st.id`,
    item: sql`(${stayReads.json(actor)})::jsonb || jsonb_build_object('nights', coalesce(counted.nights, 0))`,
  };
  return listedTable<CountedStay>(name, { actor, entity: "stay", only, list, query }, STAYS_WITH_NIGHTS);
}

/** Returns the rows of both tables, each with blank cells in the columns of the other. */
function joined(firstName: string, first: Table, secondName: string, second: Table): Table {
  async function* batches() {
    const blank = (table: Table) => table.header.map(() => "");
    for await (const batch of first.batches) yield batch.map((row) => [...row, ...blank(second)]);
    for await (const batch of second.batches) yield batch.map((row) => [...blank(first), ...row]);
  }
  const named = (table: Table, name: string) => table.header.map((label) => `${name} ${label}`);
  const kinds = [first, second].flatMap(({ header, kinds }) => header.map((_, at) => kinds?.[at]));
  return {
    ...first,
    header: [...named(first, firstName), ...named(second, secondName)],
    kinds,
    batches: batches(),
  };
}
