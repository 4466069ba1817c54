import { beforeAll, describe, expect, test, vi } from "vitest";
import { audit } from "@/lib/audit/record";
import { permissionKeys } from "@/lib/core/access/permissions";
import { db, rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/sql";
import { exportArchive } from "@/lib/transfer/archive/archive";
import { archiveTables } from "@/lib/transfer/archive/tables";
import { actorFor, call } from "@/tests/call";
import { makeClient, makeForm, makeUser, type Person } from "@/tests/factories";
import { filesIn } from "@/tests/zip";

// The archive of all data, and the export of one client's whole record.

const CANARY = "Canary-in-an-archive";
let admin: Person;
let advocate: Person;

beforeAll(async () => {
  admin = await makeUser(permissionKeys);
  advocate = await makeUser(["forms", "clients", "export"]);
});

const get = (person: Person, url: string) => call(person.cookie, "GET", url);

/** Returns the rows of a CSV file as objects by column name. */
function rowsIn(csv = ""): Record<string, string>[] {
  const lines: string[][] = [[]];
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? "");
    if (end === "\r\n") lines.push([]);
    if (end === "") break;
  }
  const [header = [], ...rows] = lines.slice(0, -1);
  return rows.map((row) => Object.fromEntries(row.map((cell, at) => [header[at] ?? "", cell])));
}

type Resource = {
  name: string;
  path: string;
  rows: number;
  schema: {
    fields: { name: string; type: string; title?: string; constraints?: { required: boolean } }[];
    primaryKey: string[];
    foreignKeys: { fields: string; reference: { resource: string; fields: string } }[];
  };
};

const FORMATS: Record<string, RegExp> = {
  integer: /^-?\d+$/,
  number: /^-?\d+(\.\d+)?$/,
  boolean: /^(true|false)$/,
  date: /^\d{4}-\d\d-\d\d$/,
  datetime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  array: /^\[.*\]$/s,
};

test("archives that are never read, as with HEAD, hold no connection that lists need", async () => {
  const actor = await actorFor(admin);
  await Promise.allSettled(Array.from({ length: 20 }, () => exportArchive(actor)));
  expect((await get(admin, "/api/forms")).status).toBe(200);
  await expect.poll(async () => (await get(admin, "/api/archive.zip")).status).toBe(200);
});

test("when two archives are requested at once, one is refused with an explanation and neither breaks off", async () => {
  const actor = await actorFor(admin);
  const [first, second] = await Promise.allSettled([exportArchive(actor), exportArchive(actor)]);
  expect(first.status).toBe("fulfilled");
  expect(second).toMatchObject({ status: "rejected", reason: { code: "conflict_busy" } });
  await expect.poll(async () => (await get(admin, "/api/archive.zip")).status).toBe(200);
});

test("a second archive is refused while one is being read, so that slow downloads leave connections for lists", async () => {
  const reader = (await exportArchive(await actorFor(admin))).getReader();
  await reader.read();
  const { status, body } = await get(admin, "/api/archive.zip");
  expect([status, body.code]).toEqual([409, "conflict_busy"]);
  await reader.cancel();
  await expect.poll(async () => (await get(admin, "/api/archive.zip")).status).toBe(200);
});

test("an archive in which large rows follow small ones is written in pieces of about one of them", async () => {
  const { id } = await makeClient(admin, {});
  await rows(
    sql`INSERT INTO clients (name, user_id, created_on, updated_at, custom)
     SELECT name, user_id, created_on, updated_at, CASE WHEN n > 60 THEN jsonb_build_object('own', repeat('a', 1500000)) ELSE '{}' END
     FROM clients, generate_series(1, 80) n WHERE id = ${id}`,
  );
  const encode = vi.spyOn(TextEncoder.prototype, "encode");
  const { status } = await get(admin, "/api/archive.zip");
  const largest = Math.max(...encode.mock.calls.map(([text = ""]) => text.length));
  encode.mockRestore();
  expect(status).toBe(200);
  expect(largest).toBeGreaterThan(1_500_000);
  expect(largest).toBeLessThan(4_000_000);
  await rows(sql`DELETE FROM clients WHERE length(custom::text) > 1000000`);
});

describe("the archive of all data", () => {
  test("is a Data Package whose tables match the rows, columns, types and references in its description", async () => {
    const { id } = await makeClient(advocate, { name: `=1+1 "${CANARY}"` });
    await makeForm(advocate, {}, id);
    const { status, headers, bytes } = await get(admin, "/api/archive.zip");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/zip");
    expect(headers.get("content-disposition")).toBe('attachment; filename="lanternbook_data.zip"');
    const files = await filesIn(bytes);
    const { resources }: { resources: Resource[] } = JSON.parse(files.get("datapackage.json") ?? "");
    expect(resources.map(({ name }) => name)).toEqual([...archiveTables]);
    expect([...files.keys()].sort()).toEqual(
      [...resources.map(({ path }) => path), "datapackage.json"].sort(),
    );
    const tables = new Map(resources.map(({ name, path }) => [name, rowsIn(files.get(path))]));
    for (const { name, path, rows, schema } of resources) {
      const table = tables.get(name) ?? [];
      expect(table, name).toHaveLength(rows);
      expect(files.get(path)?.split("\r\n")[0], name).toBe(schema.fields.map((field) => field.name).join());
      const keys = table.map((row) => schema.primaryKey.map((column) => row[column]).join());
      expect(new Set(keys).size, name).toBe(table.length);
      for (const { name: column, type, constraints } of schema.fields)
        for (const row of table) {
          const cell = row[column] ?? "";
          if (cell === "") expect(constraints?.required, `${name}.${column}`).not.toBe(true);
          else expect(cell, `${name}.${column}`).toMatch(FORMATS[type] ?? /^/);
        }
      for (const { fields, reference } of schema.foreignKeys) {
        const ids = new Set(tables.get(reference.resource)?.map((row) => row[reference.fields]));
        for (const row of table) if (row[fields]) expect(ids, `${name}.${fields}`).toContain(row[fields]);
      }
    }
    const clients = resources.find(({ name }) => name === "clients");
    expect(clients?.schema.fields).toContainEqual(
      expect.objectContaining({ name: "name", title: "Client Name" }),
    );
    expect(tables.get("clients")?.find((row) => row.id === String(id))?.name).toBe(`'=1+1 "${CANARY}"`);
    expect(tables.get("clients")).toHaveLength(await db().client.count());
    expect(tables.get("forms")).toHaveLength(await db().form.count());
  });

  test("prefixes formula text with an apostrophe, but not negative numbers, and documents this", async () => {
    const formulas = ["=1+1", "+1", "-1", "@a", "＝1", "＋1", "－1", "＠a", "'=1"];
    for (const formula of formulas) await makeClient(advocate, { name: `${formula} disarmed` });
    const level = await db().educationLevel.create({ data: { name: "Below zero", sortOrder: -7 } });
    const files = await filesIn((await get(admin, "/api/archive.zip")).bytes);
    await db().educationLevel.delete({ where: { id: level.id } });
    const names = rowsIn(files.get("clients.csv")).map(({ name }) => name);
    for (const formula of formulas) expect(names).toContain(`'${formula} disarmed`);
    const levels = rowsIn(files.get("education_levels.csv"));
    expect(levels.find(({ name }) => name === "Below zero")?.sort_order).toBe("-7");
    expect(JSON.parse(files.get("datapackage.json") ?? "").description).toContain("apostrophe");
  });

  test("contains no draft and no secret", async () => {
    const { passwordHash } = await db().user.update({
      where: { id: admin.id },
      data: { passwordHash: "$2b$04$secrethashsecrethash" },
    });
    const drafted = await call(advocate.cookie, "PUT", "/api/drafts/canary-draft", {
      draft: { content: { client: { name: `${CANARY} draft` } } },
    });
    expect(drafted.status).toBe(200);
    const files = await filesIn((await get(admin, "/api/archive.zip")).bytes);
    const all = [...files.values()].join("\n");
    const sessions = await db().session.findMany({ select: { id: true } });
    expect(all).not.toContain(passwordHash);
    expect(all).not.toContain(`${CANARY} draft`);
    for (const { id } of sessions) expect(all).not.toContain(id);
    const columns = [...files]
      .filter(([name]) => name.endsWith(".csv"))
      .map(([, csv]) => csv.split("\r\n")[0] ?? "");
    expect(
      columns.filter((header) =>
        /hash|secret|password|token|wrapped|details|key|\bpin\b|recovery/i.test(header),
      ),
    ).toEqual([]);
  });

  test("omits a restricted client's data for excluded users, even after the record is deleted", async () => {
    const related = await makeUser(permissionKeys);
    await makeUser(permissionKeys);
    const { id } = await makeClient(admin);
    const restricted = await call(admin.cookie, "PUT", `/api/clients/${id}/restrictions`, {
      userIds: [related.id],
    });
    expect(restricted.status).toBe(200);
    const rowsOf = async (person: Person, table: string) => {
      const files = await filesIn((await get(person, "/api/archive.zip")).bytes);
      return rowsIn(files.get(`${table}.csv`)).filter((row) => row.client_id === String(id));
    };
    expect(await rowsOf(admin, "client_restrictions")).toMatchObject([{ user_id: String(related.id) }]);
    expect(await rowsOf(related, "client_restrictions")).toEqual([]);
    expect((await call(admin.cookie, "DELETE", `/api/clients/${id}`)).status).toBe(204);
    expect((await rowsOf(admin, "audit_events")).map(({ action }) => action)).toContain("removed");
    for (const table of ["audit_events", "client_restrictions"])
      expect(await rowsOf(related, table), table).toEqual([]);
  });

  test("omits events and imports about a client who is hidden from the reader", async () => {
    const related = await makeUser(permissionKeys);
    const other = await makeUser(permissionKeys);
    const guest = await makeUser([]);
    const restricted = await makeClient(other);
    const visible = await makeClient(other);
    const form = await makeForm(other, {}, restricted.id);
    await call(other.cookie, "PUT", `/api/clients/${restricted.id}/restrictions`, { userIds: [related.id] });
    await get(other, `/api/clients?filters[userId]=${other.id}`);
    await get(guest, `/api/clients/${restricted.id}`);
    await get(guest, `/api/forms/${form.id}`);
    const of = { userId: other.id, uploadedById: other.id, format: "csv", status: "done", created: 2 };
    const { id } = await db().import.create({ data: { ...of, kind: "clients" } });
    await audit(rows, await actorFor(other), {
      action: "imported",
      entity: "import",
      entityId: id,
      count: 2,
    });
    const visibleActivity = async (person: Person) => {
      const files = await filesIn((await get(person, "/api/archive.zip")).bytes);
      const events = rowsIn(files.get("audit_events.csv")).filter(({ user_id }) =>
        [other.id, guest.id].includes(Number(user_id)),
      );
      return {
        listed: events.flatMap((event) =>
          event.action === "listed" && event.entity === "client" ? event.rows : [],
        ),
        imported: events.flatMap((event) => (event.action === "imported" ? event.rows : [])),
        refused: events.filter(({ action }) => action === "refused").length,
        imports: rowsIn(files.get("imports.csv")).filter((row) => row.id === String(id)).length,
      };
    };
    expect(await visibleActivity(other)).toEqual({ listed: ["2"], imported: ["2"], refused: 2, imports: 1 });
    expect(await visibleActivity(related)).toEqual({ listed: ["1"], imported: [""], refused: 0, imports: 0 });
    expect((await get(related, `/api/clients/${visible.id}`)).status).toBe(200);
  });

  test("subtracts clients who are hidden from the reader from the numbers of a submission", async () => {
    const related = await makeUser(permissionKeys);
    const service = { serviceCodeId: (await db().serviceCode.findFirstOrThrow()).id, minutes: 15 };
    const form = await makeForm(admin, {
      serviceOn: "1957-10-05",
      serviceEntryAttributes: { serviceProvidedEntriesAttributes: [service] },
    });
    const submission = { from: "1957-10-01", to: "1957-12-31" };
    const response = await call(admin.cookie, "POST", "/api/reports/pmt/submissions", { submission });
    const servedCount = async (person: Person) => {
      const files = await filesIn((await get(person, "/api/archive.zip")).bytes);
      return rowsIn(files.get("report_submission_lines.csv")).find(
        ({ submission_id, line }) =>
          submission_id === String(response.body.submission.id) && line === "individuals_served",
      )?.count;
    };
    expect(await servedCount(related)).toBe("1");
    await call(admin.cookie, "PUT", `/api/clients/${form.clientId}/restrictions`, { userIds: [related.id] });
    expect([await servedCount(related), await servedCount(admin)]).toEqual(["0", "1"]);
  });

  test("needs every permission and a recent password confirmation, and is recorded", async () => {
    expect(
      (await get(await makeUser(permissionKeys.filter((key) => key !== "all-forms")), "/api/archive.zip"))
        .status,
    ).toBe(403);
    const stale = await makeUser(permissionKeys);
    await db().session.updateMany({ where: { userId: stale.id }, data: { provedAt: new Date(0) } });
    expect((await get(stale, "/api/archive.zip")).body.code).toBe("proof_needed");
    await get(admin, "/api/archive.zip");
    const event = await db().auditEvent.findFirst({ where: { userId: admin.id }, orderBy: { id: "desc" } });
    expect(event).toMatchObject({ action: "exported", entity: "archive" });
  });
});

describe("a client's whole record", () => {
  test("contains the client and the forms that the reader may see, and is recorded", async () => {
    const { id } = await makeClient(advocate, { name: "Whole Record" });
    const own = await makeForm(advocate, {}, id);
    const other = await makeForm(admin, {}, id);
    const { status, headers, body } = await get(advocate, `/api/clients/${id}/record.json`);
    expect(status).toBe(200);
    expect(headers.get("content-disposition")).toBe('attachment; filename="client_record.json"');
    expect(body.client).toEqual((await get(advocate, `/api/clients/${id}`)).body.client);
    expect(body.forms).toEqual([(await get(advocate, `/api/forms/${own.id}`)).body.form]);
    const events = await db().auditEvent.findMany({
      where: { userId: advocate.id, action: "exported", clientId: id },
      orderBy: { id: "asc" },
    });
    expect(events.map(({ entity, entityId }) => [entity, entityId])).toEqual([
      ["client", id],
      ["form", own.id],
    ]);
    const all = (await get(admin, `/api/clients/${id}/record.json`)).body.forms;
    expect(all.map((form: { id: number }) => form.id)).toEqual([own.id, other.id]);
    const withoutForms = await makeUser(["clients", "export"]);
    expect((await get(withoutForms, `/api/clients/${id}/record.json`)).body.forms).toEqual([]);
    expect((await get(await makeUser(["clients", "forms"]), `/api/clients/${id}/record.json`)).status).toBe(
      403,
    );
    expect((await get(advocate, "/api/clients/999999/record.json")).status).toBe(404);
  });
});
