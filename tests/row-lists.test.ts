import { beforeAll, describe, expect, test } from "vitest";
import { permissionKeys } from "@/lib/core/access/permissions";
import { fieldsOf, rowSchemas } from "@/lib/core/fields/facts";
import { isRecord } from "@/lib/core/objects";
import { rowLists } from "@/lib/core/records/declaration";
import { call } from "@/tests/call";
import { fullForm, makeClient, makeUser, type Person } from "@/tests/factories";
import { makeGroup, makeSession } from "@/tests/groups";
import { kindKeys, kinds, makeRecord, valuesFor } from "@/tests/records";

// Lists of rows in the bodies of changes, of every record that has one (docs/reference/api.md, Nested objects).

let ada: Person;
let ben: Person;

beforeAll(async () => {
  ada = await makeUser(permissionKeys);
  ben = await makeUser(permissionKeys);
});

type Row = Record<string, unknown> & { id: number };
/** A stored record with at least two rows. */
type Parent = { url: string; rows: Row[] };
type RowList = {
  entity: string;
  /** The path of the list in the body and in responses. */
  path: readonly string[];
  make: () => Promise<Parent>;
  required: boolean;
};

/** Returns the list of a declared record, with its table. */
const declaredLists = kindKeys.flatMap((key) => {
  const { entity, plural, schema } = kinds[key];
  return rowLists(schema).map(({ name, facts }): [string, RowList] => [
    facts.table,
    {
      entity,
      path: [name],
      required: facts.required,
      async make() {
        const values = await Promise.all([valuesFor(key), valuesFor(key, true)]);
        const record = await makeRecord(ada, key, { [name]: values.flatMap((one) => one[name]) });
        return { url: `/api/${plural}/${record.id}`, rows: rowsAt(record, [name]) };
      },
    },
  ]);
});

/** Returns a list of a new session of a group, which two people lead and two clients attend. */
async function makeSessionOf(name: string): Promise<Parent> {
  const leaders = [ada, ben];
  const clients = [await makeClient(ada), await makeClient(ada)];
  const group = await makeGroup(leaders);
  const session = await makeSession(
    group,
    leaders,
    clients.map(({ id }) => id),
  );
  return { url: `/api/groups/${group.id}/sessions/${session.id}`, rows: rowsAt(session, [name]) };
}

async function makeFullForm(): Promise<Parent> {
  const form = await fullForm("Service", (await makeClient(ada)).id);
  const created = await call(ada.cookie, "POST", "/api/forms", { form });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return { url: `/api/forms/${created.body.form.id}`, rows: rowsAt(created.body.form, FORM_ROWS) };
}
const FORM_ROWS = ["serviceEntry", "serviceProvidedEntries"];

const LISTS = new Map<string, RowList>([
  ...declaredLists,
  [
    "group_session_leaders",
    { entity: "groupSession", path: ["leaders"], make: () => makeSessionOf("leaders"), required: true },
  ],
  [
    "attendances",
    {
      entity: "groupSession",
      path: ["attendances"],
      make: () => makeSessionOf("attendances"),
      required: false,
    },
  ],
  ["service_provided_entries", { entity: "form", path: FORM_ROWS, make: makeFullForm, required: false }],
]);

/** Returns the rows of a list in a response. */
function rowsAt(record: unknown, path: readonly string[]): Row[] {
  const list = path.reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), record);
  if (!Array.isArray(list)) throw new Error(`There is no list ${path.join(".")}`);
  return list;
}

const wireNames = (path: readonly string[]) => path.map((name) => `${name}Attributes`);

test("every list of rows that a body can have is in the table below", () => {
  expect([...LISTS.keys()].sort()).toEqual([...rowSchemas.keys()].sort());
});

describe.each([...LISTS])("the list %s in a change", (table, { entity, path, make, required }) => {
  /** Returns a row as a body has it. Responses name a client, where bodies have the id. */
  const sendable = (row: Row): Row =>
    isRecord(row.client) ? { ...row, clientId: row.client.id } : { ...row, _destroy: false };
  const read = async ({ url }: Parent) => {
    const { body } = await call(ada.cookie, "GET", url);
    return { record: body[entity], rows: rowsAt(body[entity], path) };
  };
  /** Sends the rows, for a form with the values that every change of a form has. */
  async function put(parent: Parent, rows: object[]) {
    const { record } = await read(parent);
    const { clientId, formTypeId, serviceOn, serviceStatus, verbalConfirmation } = record;
    const form = { clientId, formTypeId, serviceOn, serviceStatus, verbalConfirmation };
    const list = wireNames(path).reduceRight<unknown>((inner, name) => ({ [name]: inner }), rows);
    const values = { ...(entity === "form" && form), ...(isRecord(list) && list) };
    const { status, body } = await call(ada.cookie, "PUT", parent.url, { [entity]: values });
    return { status, body, fields: Object.keys(body.fields ?? {}) };
  }
  const at = (...names: (string | number)[]) => [entity, ...wireNames(path), ...names].join(".");

  test.each<[string, object]>([
    ["its id alone", {}],
    ["other values that are not valid", { minutes: "many", userId: null, yes: -1, client: 5, referrals: 7 }],
  ])("deletes a row that is marked as removed, with %s", async (_, values) => {
    const parent = await make();
    const [first, ...others] = parent.rows;
    const sent = [{ ...values, id: first?.id, _destroy: true }, ...others.map(sendable)];
    const saved = await put(parent, sent);
    expect(saved.status, JSON.stringify(saved.body)).toBe(200);
    expect((await read(parent)).rows).toEqual(others);
  });

  test("refuses the removal of another record's row, and changes nothing", async () => {
    const [parent, other] = [await make(), await make()];
    const [foreign] = other.rows;
    const refused = await put(parent, [...parent.rows.map(sendable), { id: foreign?.id, _destroy: true }]);
    expect(refused).toMatchObject({ status: 422, fields: [at(parent.rows.length, "id")] });
    expect((await read(parent)).rows).toEqual(parent.rows);
    expect((await read(other)).rows).toEqual(other.rows);
  });

  test("ignores a removed row without an id, and keeps a row with the mark false", async () => {
    const parent = await make();
    const sent = parent.rows.map((row) => ({ ...sendable(row), _destroy: false }));
    const saved = await put(parent, [{ _destroy: true }, ...sent]);
    expect(saved.status, JSON.stringify(saved.body)).toBe(200);
    expect((await read(parent)).rows).toEqual(parent.rows);
  });

  test("refuses a mark and an id that are not valid", async () => {
    const parent = await make();
    const [first, ...others] = parent.rows.map(sendable);
    const unclear = await put(parent, [...others, { ...first, _destroy: "yes" }]);
    expect(unclear).toMatchObject({ status: 422, fields: [at(others.length, "_destroy")] });
    const unknown = await put(parent, [...others, { id: "1", _destroy: true }]);
    expect(unknown).toMatchObject({ status: 422, fields: [at(others.length, "id")] });
    expect((await read(parent)).rows).toEqual(parent.rows);
  });

  test(`${required ? "refuses" : "allows"} the removal of all rows`, async () => {
    const parent = await make();
    const removed = parent.rows.map(({ id }) => ({ id, _destroy: true }));
    const saved = await put(parent, removed);
    if (required) expect(saved).toMatchObject({ status: 422, fields: [at()] });
    else expect(saved.status, JSON.stringify(saved.body)).toBe(200);
    expect((await read(parent)).rows).toEqual(required ? parent.rows : []);
  });

  const schemas = [...rowSchemas].filter(([name]) => name === table).map(([, schema]) => schema);
  const needed = schemas.flatMap(fieldsOf).filter(({ facts }) => facts.required);
  test.each(needed)("refuses a row with an id that lacks $name", async ({ name }) => {
    const parent = await make();
    const rows = parent.rows.map(sendable);
    const { [name]: _, ...row }: Record<string, unknown> = rows[0] ?? {};
    expect(await put(parent, [row, ...rows.slice(1)])).toMatchObject({ status: 422, fields: [at(0, name)] });
    expect((await read(parent)).rows).toEqual(parent.rows);
  });
});
