import * as z from "zod/mini";
import { type Field, fieldsOf, type ListName, wireName } from "@/lib/core/fields/facts";
import { withoutUnasked } from "@/lib/core/fields/shapes";
import { columnName, ownerColumn, pairsTable } from "@/lib/core/fields/tables";
import { toWire } from "@/lib/core/fields/wire";
import { type LookupKey, lookupKeys, lookups } from "@/lib/lookups/registry";
import { plainRecordKeys, type RecordKey, recordKeys, records } from "@/lib/records/registry";

// The kinds of records that the drill saves. Each is created with its parts, and then changed once.

/** The drilled records belong to a client of the same name, which is saved before them. */
type About = { name: string; clientId: number; ids: FirstIds };

/** The ids that drilled records refer to. */
export type FirstIds = (list: ListName) => number;

export type DrilledKind = {
  /** The kind of record in request bodies and audit events. */
  entity: string;
  /** The name of a list in braces is replaced by the id of its drilled record. */
  path: string;
  /** True if a repeated creation has no `Idempotency-Key`, but is refused because its name is taken. */
  isNamed: boolean;
  values(about: About): object;
  /** Returns the values of the change, with those that every `PUT` needs. */
  changed(about: About): object;
  /** SQL for the `id`, the `name`, and `changed` of each complete record whose name is in `$1`. */
  select: string;
};

const DAY = "2026-03-04";

const client: DrilledKind = {
  entity: "client",
  path: "/api/clients",
  isNamed: false,
  values: ({ name }) => ({
    name,
    clientBiographicalEntryAttributes: { city: "Drill" },
    clientDemographicEntryAttributes: { gender: "Unknown" },
  }),
  changed: ({ name }) => ({ name, clientBiographicalEntryAttributes: { city: "Drilled" } }),
  select: `SELECT c.id, c.name, b.city = 'Drilled' AS changed FROM clients c
    JOIN client_biographical_entries b ON b.client_id = c.id
    JOIN client_demographic_entries d ON d.client_id = c.id WHERE c.name = ANY($1)`,
};

const formValues = ({ clientId, ids }: About) => ({
  clientId,
  formTypeId: ids("form_types"),
  serviceOn: DAY,
  serviceStatus: "Served",
});

const form: DrilledKind = {
  entity: "form",
  path: "/api/forms",
  isNamed: false,
  values: (about) => ({
    ...formValues(about),
    verbalConfirmation: true,
    serviceEntryAttributes: {
      serviceProvidedEntriesAttributes: [{ serviceCodeId: about.ids("service_codes"), minutes: 5 }],
    },
  }),
  changed: (about) => ({ ...formValues(about), verbalConfirmation: false }),
  select: `SELECT f.id, c.name, NOT f.verbal_confirmation AS changed FROM forms f JOIN clients c ON c.id = f.client_id
    JOIN service_entries e ON e.form_id = f.id JOIN service_provided_entries p ON p.service_entry_id = e.id
    WHERE c.name = ANY($1) AND NOT EXISTS (SELECT FROM attendances a WHERE a.form_id = f.id)`,
};

export const groupValues = (name: string, ids: FirstIds) => ({
  name,
  formTypeId: ids("form_types"),
  serviceCodeId: ids("service_codes"),
  usualMinutes: 5,
  leaderIds: [ids("users")],
});

const group: DrilledKind = {
  entity: "group",
  path: "/api/groups",
  isNamed: false,
  values: ({ name, ids }) => groupValues(name, ids),
  changed: () => ({ usualMinutes: 6 }),
  select: `SELECT g.id, g.name, g.usual_minutes = 6 AS changed FROM groups g WHERE g.name = ANY($1)
    AND EXISTS (SELECT FROM group_users u WHERE u.group_id = g.id)`,
};

/** The day of the drilled sessions. No other drilled form has it. */
export const SESSION_DAY = "2026-03-05";

/**
 * SQL for the number of sessions on the day `$1` without an attendance or a leader, and of forms of that day without
 * their session or its service. Those who save wait for a response or not: a half save never exists.
 */
export const HALF_SESSIONS = `SELECT (SELECT count(*) FROM group_sessions s WHERE s.held_on = $1
      AND (NOT EXISTS (SELECT FROM attendances a WHERE a.group_session_id = s.id)
        OR NOT EXISTS (SELECT FROM group_session_leaders l WHERE l.group_session_id = s.id)))::int
  + (SELECT count(*) FROM forms f WHERE f.service_on = $1
      AND (NOT EXISTS (SELECT FROM attendances a JOIN group_sessions s ON s.id = a.group_session_id
          JOIN service_entries e ON e.form_id = a.form_id
          JOIN service_provided_entries p ON p.service_entry_id = e.id AND p.of_session AND p.minutes = s.minutes
          WHERE a.form_id = f.id)))::int AS count`;

/** A session with one attendance, whose form has its minutes. */
const groupSession: DrilledKind = {
  entity: "groupSession",
  path: "/api/groups/{groups}/sessions",
  isNamed: false,
  values: ({ clientId, ids }) => ({
    heldOn: SESSION_DAY,
    minutes: 5,
    attendancesAttributes: [{ clientId }],
    leadersAttributes: [{ userId: ids("users"), minutes: 5 }],
  }),
  changed: () => ({ minutes: 6 }),
  select: `SELECT s.id, c.name, s.minutes = 6 AS changed FROM group_sessions s
    JOIN attendances a ON a.group_session_id = s.id JOIN clients c ON c.id = a.client_id
    JOIN service_entries e ON e.form_id = a.form_id
    JOIN service_provided_entries p ON p.service_entry_id = e.id AND p.minutes = s.minutes WHERE c.name = ANY($1)`,
};

const stay: DrilledKind = {
  entity: "stay",
  path: "/api/stays",
  isNamed: false,
  values: ({ clientId, ids }) => ({ clientId, shelterId: ids("shelters"), enteredOn: DAY, adults: 1 }),
  changed: ({ ids }) => ({ shelterId: ids("shelters"), enteredOn: DAY, adults: 2 }),
  select: `SELECT s.id, c.name, s.adults = 2 AS changed FROM stays s JOIN clients c ON c.id = s.client_id
    WHERE c.name = ANY($1)`,
};

// A contact has no text. Its day and minutes are those of the number in the name.
const FIRST_DAY = Date.UTC(2020, 0, 1);
const MINUTES = 1_000;
const contactValues = ({ name, ids }: About) => {
  const number = Number(name.slice(NAME.length));
  const day = new Date(FIRST_DAY + Math.floor(number / MINUTES) * 86_400_000);
  return {
    contactedOn: day.toISOString().slice(0, 10),
    contactKindId: ids("contact_kinds"),
    minutes: number % MINUTES,
  };
};

const contact: DrilledKind = {
  entity: "contact",
  path: "/api/contacts",
  isNamed: false,
  values: (about) => ({ ...contactValues(about), number: 1 }),
  changed: (about) => ({ ...contactValues(about), number: 2 }),
  select: `SELECT * FROM (SELECT id, number = 2 AS changed,
      'drill' || lpad(((contacted_on - DATE '2020-01-01') * 1000 + minutes)::text, 6, '0') AS name FROM contacts) AS named
    WHERE name = ANY($1)`,
};

/** Returns a valid value of a field for a record with this name. */
function fieldValue({ facts, schema }: Field, name: string, ids: FirstIds): unknown {
  if ("unique" in facts && facts.unique) return facts.kind === "email" ? `${name}@example.org` : name;
  switch (facts.kind) {
    case "choice":
      return facts.choices[0]?.value;
    case "flag":
      return false;
    case "lookup":
      return ids(facts.list);
    case "lookups":
      return [ids(facts.list)];
    case "entries":
      return [rowOf(fieldsOf(schema), name, ids)];
    case "text":
    case "longText":
      return "Drill";
    default:
      return 1;
  }
}

/** Returns valid values of the entered fields. */
const rowOf = (fields: readonly Field[], name: string, ids: FirstIds) =>
  Object.fromEntries(
    fields
      .filter(({ facts }) => facts.entered)
      .map((field) => [wireName(field.name, field.facts), fieldValue(field, name, ids)]),
  );

/** A settings list. The change is a new name. */
function list(key: LookupKey): DrilledKind {
  const { schema, singular } = lookups[key];
  const fields = fieldsOf(schema);
  const values = (name: string, ids: FirstIds) =>
    Object.fromEntries(fields.map((field) => [field.name, fieldValue(field, name, ids)]));
  const unique = fields.find(({ facts }) => "unique" in facts && facts.unique);
  const stored = `split_part(${columnName(unique?.name ?? "")}::text, '@', 1)`;
  const pairs = fields.flatMap(({ facts }) =>
    facts.kind === "lookups"
      ? [`EXISTS (SELECT FROM ${pairsTable(key, facts.list).table} WHERE ${ownerColumn(key)} = t.id)`]
      : [],
  );
  return {
    entity: singular,
    path: `/api/${key}`,
    isNamed: true,
    values: ({ name, ids }) => values(name, ids),
    changed: ({ name, ids }) => values(`${name}b`, ids),
    select: `SELECT id, rtrim(${stored}, 'b') AS name, ${stored} LIKE '%b' AS changed FROM ${key} t
      WHERE ${[`rtrim(${stored}, 'b') = ANY($1)`, ...pairs].join(" AND ")}`,
  };
}

/** A declared record. Its day is that of the number in the name, and the change is one of its other fields. */
function declaredRecord(key: RecordKey): DrilledKind {
  const { entity, plural, schema, day } = records[key];
  const values = ({ name, ids }: About, isChanged: boolean) => {
    const entered = fieldsOf(schema)
      .filter(({ facts }) => facts.entered)
      .map((field) => {
        const value = fieldValue(field, name, ids);
        // More than the numbers of its rows together, as the cards of a survey are.
        if (typeof value === "number" && field.facts.kind !== "lookup")
          return [field.name, value + (isChanged ? 2 : 1)];
        return [field.name, isChanged && typeof value === "boolean" ? !value : value];
      });
    const on = new Date(DECLARED_DAY + Number(name.slice(NAME.length)) * 86_400_000);
    return toWire(
      z.object(schema.shape),
      withoutUnasked(schema, { ...Object.fromEntries(entered), [day]: on.toISOString().slice(0, 10) }),
    );
  };
  const named = `'drill' || lpad((${columnName(day)} - DATE '1903-01-01')::text, 6, '0')`;
  return {
    entity,
    path: `/api/${key}`,
    isNamed: false,
    values: (about) => values(about, false),
    changed: (about) => values(about, true),
    select: `SELECT id, lock_version > 0 AS changed, ${named} AS name FROM ${plural} WHERE ${named} = ANY($1)`,
  };
}
/** The lists that declared records refer to. */
export const listsOfRecords: readonly ListName[] = recordKeys.flatMap((key) =>
  listsIn(fieldsOf(records[key].schema)),
);
function listsIn(fields: readonly Field[]): ListName[] {
  return fields.flatMap(({ facts, schema }) => {
    if (facts.kind === "entries") return listsIn(fieldsOf(schema));
    return facts.kind === "lookup" && facts.entered ? [facts.list] : [];
  });
}
const DECLARED_DAY = Date.UTC(1903, 0, 1);

const NAME = "drill";
/** Returns the name of the drilled records with this number. */
export const nameOf = (number: number): string => `${NAME}${String(number).padStart(6, "0")}`;

/** The client comes first, because others belong to it. */
export const drilledKinds: readonly DrilledKind[] = [
  client,
  form,
  stay,
  contact,
  group,
  groupSession,
  ...plainRecordKeys.map(declaredRecord),
  ...lookupKeys.map(list),
];
/** Those that are saved for each client; of the others, one. */
export const ofEachClient: readonly DrilledKind[] = [client, form, stay, contact, groupSession];
