import { ID_LIST_MAX, LONG_TEXT_MAX, TEXT_MAX } from "@/lib/core/fields/validation";
import type { EveryRead } from "@/lib/dev/every-read";
import { FIELDS_IN_USE_MAX } from "@/lib/forms/fields/schema";

/** The word that every long text of the record repeats. */
export const WORD = "Zeisig";
const LONG = `${`${WORD} `.repeat(LONG_TEXT_MAX).slice(0, LONG_TEXT_MAX - 1)}.`;
const ROWS = 500;
const COMMENTS = 500;
const COMMENT_LETTERS = 2_000;
const DRAFTS = 50;
/** As many texts as one body can have. */
const IN_BODY = 80;

export interface Writer {
  /** Calls the API as one user with all permissions, and returns the body. Throws if the call fails. */
  // biome-ignore lint/suspicious/noExplicitAny: the API's bodies have many shapes
  send(method: "GET" | "POST" | "PUT", path: string, body?: object): Promise<any>;
  query<Row>(sql: string, values: unknown[]): Promise<Row[]>;
}

/** Adds as many custom fields of forms and clients as the limits allow, for `writeLargest`. */
export async function addCustomFields({ send, query }: Writer): Promise<void> {
  const field = { record: "form", section: "", label: "Own", kind: "longText" };
  await send("POST", "/api/fields", { field });
  await query(
    `INSERT INTO custom_fields (name, record, section, label, kind, updated_at)
     SELECT name || n, CASE n % 2 WHEN 0 THEN 'form' ELSE 'client' END, section, label || n, kind, updated_at
     FROM custom_fields, generate_series(1, $1::int) n`,
    [FIELDS_IN_USE_MAX - 2],
  );
  // This change of the definitions also makes the program read the others.
  await send("POST", "/api/fields", { field: { ...field, record: "client", label: "Last" } });
}

/**
 * Creates the largest record that the limits allow: a client with all custom fields filled, drafts, a contact, a stay, and
 * a form that was reconciled and changed since. The form has as many rows of one service code as it can have, long texts,
 * and comments. The group, its session, the event and the outcome survey have as many people and rows as they can have. The
 * custom fields are those of `addCustomFields`. Returns the ids, for `addressesOf`.
 */
export async function writeLargest({ send, query }: Writer): Promise<EveryRead> {
  const { definitions } = await send("GET", "/api/fields");
  const fields: { key: string; record: string }[] = definitions.fields;
  const keysOf = (wanted: string) => fields.filter(({ record }) => record === wanted).map(({ key }) => key);
  const custom = (some: readonly string[]) => Object.fromEntries(some.map((key) => [key, LONG]));
  const name = `${WORD} Held`;
  const clientId: number = (await send("POST", "/api/clients", { client: { name } })).client.id;
  for (const some of parts(keysOf("client")))
    await send("PUT", `/api/clients/${clientId}`, { client: { name, custom: custom(some) } });

  const list = async (path: string, key: string) => (await send("GET", `/api/resource_lists/${path}`))[key];
  const named = (records: { id: number; name: string }[], wanted: string) =>
    records.find((record) => record.name === wanted)?.id ?? records[0]?.id;
  const formTypeId = named(await list("form_types", "formTypes"), "Service");
  const codes: { id: number; code: string }[] = await list(`service_codes/${formTypeId}`, "serviceCodes");
  const row = { serviceCodeId: codes.find(({ code }) => code === "TRANSPORT")?.id, minutes: 1 };
  const minimal = {
    clientId,
    formTypeId,
    serviceOn: "2026-03-04",
    serviceStatus: "Served",
    verbalConfirmation: true,
  };
  const withRows = (serviceProvidedEntriesAttributes: object[]) => ({
    form: { ...minimal, serviceEntryAttributes: { serviceProvidedEntriesAttributes } },
  });
  const created = await send("POST", "/api/forms", withRows(Array.from({ length: ROWS }, () => row)));
  const formId: number = created.form.id;
  const ids: number[] = created.form.serviceEntry.serviceProvidedEntries.map(({ id }: { id: number }) => id);
  await send("POST", `/api/forms/${formId}/reconcile`, { reconciled: true });
  // Every row differs from what was checked.
  const withTexts = ids.map((id, at) => ({
    ...row,
    id,
    minutes: 2,
    ...(at < IN_BODY && { referrals: LONG }),
  }));
  await send("PUT", `/api/forms/${formId}`, withRows(withTexts));
  for (const some of parts(keysOf("form")))
    await send("PUT", `/api/forms/${formId}`, { form: { ...minimal, custom: custom(some) } });
  await query(
    `INSERT INTO form_comments (form_id, user_id, text)
     SELECT id, user_id, left(repeat($2, $3), $3) FROM forms, generate_series(2, $4::int) WHERE id = $1`,
    [formId, `${WORD} `, COMMENT_LETTERS, COMMENTS],
  );
  await send("POST", `/api/forms/${formId}/comments`, { text: WORD });
  const texts = Array.from({ length: IN_BODY }, () => LONG);
  for (let n = 0; n < DRAFTS; n++)
    await send("PUT", `/api/drafts/full-${n}`, {
      draft: { formId: null, content: { clientId, form: { clientId }, texts } },
    });
  const period = { from: "2026-01-01", to: "2026-03-31" };
  const { submission } = await send("POST", "/api/reports/pmt/submissions", { submission: period });
  const [kind] = await list("contact_kinds", "contactKinds");
  const { contact } = await send("POST", "/api/contacts", { contact: { contactKindId: kind.id } });
  const house = { name: "House", kind: "In-house", beds: 9 };
  const { shelter } = await send("POST", "/api/shelters", { shelter: house });
  const { stay } = await send("POST", "/api/stays", { stay: { clientId, shelterId: shelter.id } });
  const [work] = await list("activity_kinds", "activityKinds");
  const { activity } = await send("POST", "/api/activities", {
    activity: { activityKindId: work.id, minutes: 60 },
  });
  const { userId } = await send("GET", "/api/me");
  const longName = `${WORD} `.repeat(TEXT_MAX).slice(0, TEXT_MAX);
  const people = await query<{ id: number }>(
    `INSERT INTO clients (name, user_id, updated_at, created_on)
     SELECT overlay($1 PLACING n::text FROM 248), $2, now(), current_date FROM generate_series(2, $3::int) n RETURNING id`,
    [longName, userId, ID_LIST_MAX],
  );
  const staff = await query<{ id: number }>(
    `INSERT INTO users (first_name, last_name, email, role_id, activated_at, updated_at)
     SELECT $1, $1, 'staff' || n || '@example.org', role_id, now(), now() FROM users, generate_series(2, $3::int) n WHERE id = $2
     RETURNING id`,
    [longName, userId, ROWS],
  );
  const personIds = [clientId, ...people.map(({ id }) => id)];
  const leaderIds = [userId, ...staff.map(({ id }) => id)];
  const leaders = leaderIds.map((id) => ({ userId: id, minutes: 60 }));
  const { group } = await send("POST", "/api/groups", {
    group: {
      name: longName,
      formTypeId,
      serviceCodeId: row.serviceCodeId,
      usualMinutes: 60,
      leaderIds,
      clientIds: personIds,
    },
  });
  const { groupSession } = await send("POST", `/api/groups/${group.id}/sessions`, {
    groupSession: {
      minutes: 60,
      leadersAttributes: leaders,
      attendancesAttributes: personIds.slice(0, ROWS).map((id) => ({ clientId: id })),
    },
  });
  const [eventKind] = await list("event_kinds", "eventKinds");
  const { event } = await send("POST", "/api/events", {
    event: { eventKindId: eventKind.id, title: longName, audience: "youth", staffAttributes: leaders },
  });
  await query(
    `INSERT INTO outcome_questions (name, updated_at) SELECT $1 || n, now() FROM generate_series(1, $2::int) n`,
    [WORD, ROWS],
  );
  const questions: { id: number }[] = await list("outcome_questions", "outcomeQuestions");
  const { outcomeSurvey } = await send("POST", "/api/outcome_surveys", {
    outcomeSurvey: {
      serviceKind: "shelter",
      completed: 2,
      answersAttributes: questions.slice(0, ROWS).map(({ id }) => ({ outcomeQuestionId: id, yes: 1, no: 1 })),
    },
  });
  return {
    clientIds: [clientId],
    formIds: [formId],
    contactIds: [contact.id],
    stayIds: [stay.id],
    recordIds: { activities: [activity.id], events: [event.id], outcome_surveys: [outcomeSurvey.id] },
    groupIds: [group.id],
    sessionOf: { [group.id]: groupSession.id },
    userId,
    submissionId: submission.id,
  };
}

const parts = <T>(items: readonly T[]): T[][] =>
  items.length === 0 ? [] : [items.slice(0, IN_BODY), ...parts(items.slice(IN_BODY))];
