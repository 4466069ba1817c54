import { parse } from "csv-parse/sync";
import readExcelFile from "read-excel-file/node";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/core/database/client";
import { date } from "@/lib/core/text/format";
import { screenQuery } from "@/lib/reports/schema";
import { loadGap, loadLine } from "@/lib/reports/screen";
import { actorFor, call } from "@/tests/call";
import { makeClient, makeUser, type Person } from "@/tests/factories";
import { addClient, addForm, makeReporter, type Reporter } from "./world";

let world: Reporter;
/** This user sees only their own forms. */
let advocate: Person;
beforeAll(async () => {
  world = await makeReporter();
  advocate = await makeUser(["forms", "reports", "export"]);
});

const LINE = "lines/individuals_served";
const GAP = "gaps/minutes";
const get = (by: Person, path: string, query: string) =>
  call(by.cookie, "GET", `/api/reports/pmt/${path}${query && `?${query}`}`);

/** Returns the cells of a file, which must be equal in both formats. */
async function cellsOf(by: Person, path: string, query = ""): Promise<string[][]> {
  const csv = await get(by, `${path}.csv`, query);
  expect([csv.status, csv.body]).toEqual([200, expect.any(String)]);
  const cells: string[][] = parse(csv.body, { bom: true });
  const xlsx = await get(by, `${path}.xlsx`, query);
  const [sheet] = await readExcelFile(Buffer.from(xlsx.bytes));
  // Days are real dates in XLSX, at midnight in UTC.
  const textOf = (cell: unknown) =>
    cell instanceof Date ? date(cell.toISOString().slice(0, 10)) : String(cell ?? "");
  expect(sheet?.data.map((row) => row.map(textOf))).toEqual(cells);
  return cells;
}

/** Returns the forms on all pages of the screen, in its order. */
async function onScreen(by: Person, path: string, period: { from: string; to: string; userId?: string }) {
  const actor = await actorFor(by);
  const forms: string[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const query = screenQuery(period).parse({ ...period, page: String(page), perPage: "2" });
    const { rows, meta } =
      path === LINE
        ? await loadLine(actor, "pmt", "individuals_served", query)
        : await loadGap(actor, "pmt", "minutes", query);
    pages = meta.totalPages;
    for (const row of rows) forms.push(...row.forms.map(({ id }) => String(id)));
  }
  return forms;
}

const lastExport = async (by: Person, entity: string) =>
  db().auditEvent.findFirstOrThrow({
    where: { userId: by.id, action: "exported", entity },
    orderBy: { id: "desc" },
  });

describe("the file of the list behind a number or a gap", () => {
  const PERIOD = { from: "1962-10-01", to: "1962-12-31" };
  const query = `from=${PERIOD.from}&to=${PERIOD.to}`;
  let mine: number[];

  beforeAll(async () => {
    const { owner, other } = world;
    mine = [];
    for (const name of ["=Zed", "Ann", "Bea", "Ann"]) {
      const { id } = await makeClient(owner, { name });
      await addForm(owner, id, "1962-11-05", [["SAFETY", 15]]);
      mine.push(await addForm(advocate, id, "1962-10-05", [["SAFETY", 15]]));
      mine.push(await addForm(advocate, id, "1962-10-04", []));
      await addForm(other, id, "1962-10-03", []);
    }
  });

  test.each([LINE, GAP])("%s contains the forms of all pages of the screen, in its order", async (path) => {
    for (const by of [world.viewer, advocate]) {
      const period = by === advocate ? { ...PERIOD, userId: String(advocate.id) } : PERIOD;
      const [header, ...lines] = await cellsOf(by, `${path}/records`, String(new URLSearchParams(period)));
      expect(header).toEqual(["Id", "Client", "Advocate Name", "Form Type", "Service Status", "Service On"]);
      const shown = await onScreen(by, path, period);
      expect(lines.map(([id]) => id)).toEqual(shown);
      expect(shown).toHaveLength(by === advocate ? 4 : 8);
      if (by === advocate) expect(mine.map(String)).toEqual(expect.arrayContaining(shown));
      // Formulas are escaped.
      expect(lines.map(([, name]) => name)).toContain("'=Zed");
    }
  });

  test("is recorded as exported with its clients and forms, and has no personal data in its name", async () => {
    const own = `${query}&userId=${advocate.id}`;
    for (const format of ["csv", "xlsx"]) {
      const { headers, status } = await get(advocate, `${LINE}/records.${format}`, own);
      expect([status, headers.get("content-disposition")]).toEqual([
        200,
        `attachment; filename="pmt-individuals_served-1962-10-01-1962-12-31.${format}"`,
      ]);
      const { clients, forms } = (await get(advocate, LINE, own)).body;
      expect((await lastExport(advocate, "client")).shown.toSorted()).toEqual(clients.toSorted());
      expect((await lastExport(advocate, "form")).shown.toSorted()).toEqual(forms.toSorted());
    }
  });

  test("applies the filters of the screen", async () => {
    const lines = await cellsOf(world.viewer, `${LINE}/records`, `${query}&userId=${advocate.id}`);
    expect(lines).toHaveLength(1 + 4);
    expect((await get(advocate, `${LINE}/records.csv`, `${query}&userId=${world.other.id}`)).status).toBe(
      422,
    );
  });

  test("needs Export and Reports, and is empty for users who may open no forms", async () => {
    const [exporter, reader, board] = await Promise.all(
      [["export"], ["reports", "forms"], ["reports", "export", "all-forms"]].map((held) =>
        makeUser(held as never),
      ),
    );
    for (const path of [LINE, GAP])
      for (const format of ["csv", "xlsx"]) {
        const url = `${path}/records.${format}`;
        for (const by of [exporter, reader]) expect((await get(by as Person, url, query)).status).toBe(403);
        expect((await get(world.viewer, url, "")).status).toBe(422);
      }
    expect(await cellsOf(board as Person, `${LINE}/records`, query)).toHaveLength(1);
    for (const nowhere of ["lines/none", "gaps/none"])
      expect((await get(world.viewer, `${nowhere}/records.csv`, query)).status).toBe(404);
  });
});

test("the file of changes since a submission has a row for every form on each line, beyond the screen's limit", async () => {
  const { owner, viewer } = world;
  const quarter = { from: "1963-01-01", to: "1963-03-31" };
  const submission = { submission: quarter };
  const made = await call(viewer.cookie, "POST", "/api/reports/pmt/submissions", submission);
  const { id } = made.body.submission;
  const ann = await addClient(owner);
  const late = await addForm(owner, ann, "1963-02-01", [["SAFETY", 15]]);
  // This is more forms than the screen lists.
  await db().$executeRawUnsafe(`INSERT INTO report_submission_records (submission_id, line, client_id, form_id, client_version, form_version, amount)
    SELECT ${id}, 'individuals_served', ${ann}, 900000000 + n, 0, 0, 1 FROM generate_series(1, 250) AS n`);
  const [header, ...lines] = await cellsOf(viewer, `submissions/${id}/changes`);
  expect(header).toEqual([...["Section", "Line", "Label", "Unit", "Submitted", "Now", "Form Id", "Change"]]);
  const served = lines.filter(([, line]) => line === "individuals_served");
  expect(served).toHaveLength(251);
  expect(served).toContainEqual([
    "Individuals served",
    "individuals_served",
    "Individuals served",
    "individuals",
    "0",
    "1",
    ...[String(late), "counts here now"],
  ]);
  expect(served.at(-1)?.slice(6)).toEqual(["", "A form was removed"]);
  expect((await lastExport(viewer, "form")).shown).toEqual([late]);
  expect((await lastExport(viewer, "client")).shown).toEqual([ann]);

  // A user who may open no forms learns only how many more there are.
  const board = await makeUser(["reports", "export", "all-forms"]);
  const servedRows = (await cellsOf(board, `submissions/${id}/changes`)).filter(
    ([, line]) => line === "individuals_served",
  );
  expect(servedRows.map((cells) => cells.slice(6))).toEqual([["", "and 251 more forms"]]);
  const { status } = await get(await makeUser(["reports", "forms"]), `submissions/${id}/changes.csv`, "");
  expect(status).toBe(403);
});
