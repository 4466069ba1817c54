import { beforeAll, expect, test } from "vitest";
import { inTransaction } from "@/lib/core/database/client";
import { insertRecords, Statement, updateRecords } from "@/lib/core/database/record-write";
import { sql } from "@/lib/core/sql";
import { formSchema } from "@/lib/forms/schema";
import { call } from "@/tests/call";
import { fullForm, makeClient, makeUser, type Person } from "@/tests/factories";

// Several records in one statement. A session of a group writes its forms like that.

let ada: Person;
let clientId: number;

beforeAll(async () => {
  ada = await makeUser();
  clientId = (await makeClient(ada)).id;
});

const readForm = async (id: number) => (await call(ada.cookie, "GET", `/api/forms/${id}`)).body.form;

async function addForm(form: object) {
  const { status, body } = await call(ada.cookie, "POST", "/api/forms", { form });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.form;
}

/** Makes forms with different rows and entries; all but the last one have services. */
async function makeForms() {
  const [first, second] = [await fullForm("Service", clientId), await fullForm("Service", clientId)];
  second.serviceEntryAttributes?.serviceProvidedEntriesAttributes.splice(1, 2);
  const { serviceEntryAttributes, ...third } = await fullForm("On-Call Advocacy", clientId);
  expect(serviceEntryAttributes).toBeDefined();
  return [await addForm(first), await addForm(second), await addForm(third)];
}

/** Runs one statement with several forms, and returns their ids in order. */
const run = (add: (statement: Statement) => ReturnType<Statement["with"]>): Promise<number[]> =>
  inTransaction(async (query) => {
    const statement = new Statement();
    const part = add(statement);
    const written = await query<{ id: number }>(statement.sql(sql`SELECT id FROM ${part} ORDER BY id`));
    return written.map(({ id }) => id);
  });

/** Returns the fields of a form without the ids that differ from those of a copy. */
const plain = ({
  intakeForm,
  serviceEntry,
  serviceStatusEntry,
  custom,
  serviceOn,
  canineId,
}: object & Form) =>
  JSON.parse(
    JSON.stringify(
      { intakeForm, serviceEntry, serviceStatusEntry, custom, serviceOn, canineId },
      (key, value) => (["id", "serviceEntryId"].includes(key) ? undefined : value),
    ),
  );
type Form = Record<
  "intakeForm" | "serviceEntry" | "serviceStatusEntry" | "custom" | "serviceOn" | "canineId",
  unknown
>;

test("several new records are stored with everything nested in them, in their order", async () => {
  const forms = await makeForms();
  const copies = forms.map((form) => ({ ...form, ...plain(form) }));
  const ids = await run((statement) =>
    insertRecords(statement, formSchema, copies, { user_id: ada.id, updated_by_id: ada.id }),
  );
  expect(ids).toHaveLength(forms.length);
  for (const [at, id] of ids.entries()) expect(plain(await readForm(id))).toEqual(plain(forms[at]));
});

test("several records are updated as one by one, also if rows of some are added or removed", async () => {
  const forms = await makeForms();
  const [first, second, third] = structuredClone(forms);
  for (const row of first.serviceEntry.serviceProvidedEntries) row.minutes += 1;
  first.serviceStatusEntry.other = false;
  second.serviceEntry.serviceProvidedEntries.splice(0, 1);
  const { id: _, ...row } = first.serviceEntry.serviceProvidedEntries[0];
  second.serviceEntry.serviceProvidedEntries.push(row);
  third.serviceOn = "2026-03-05";
  third.intakeForm.survivorEntry.secondaryVictimizationIds.pop();
  const nexts = [first, second, third];
  const ids = await run((statement) =>
    updateRecords(
      statement,
      formSchema,
      nexts.map((next, at) => ({ next, stored: forms[at], more: undefined })),
      ada.id,
    ),
  );
  expect(ids).toEqual(forms.map(({ id }) => id));
  for (const next of nexts) {
    const stored = await readForm(next.id);
    expect(plain(stored)).toEqual(plain(next));
    expect(stored.lockVersion).toBe(next.lockVersion + 1);
  }
});
