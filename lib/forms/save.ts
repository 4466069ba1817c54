import "server-only";
import type { BatchKind, BatchSave, Besides, RemovableKind } from "@/lib/audit/save";
import { type ClientKey, clientKeySql } from "@/lib/audit/values";
import { assertNoHold, lockClientRows, lockClientWithoutHold } from "@/lib/clients/holds";
import type { SessionUser } from "@/lib/core/access/permissions";
import { selectForms, visibleFormsWhere } from "@/lib/core/access/scope";
import { assertCustomValues } from "@/lib/core/api/custom-values";
import type { Query } from "@/lib/core/database/client";
import { holdDefinitionsFor } from "@/lib/core/database/definitions";
import { merge } from "@/lib/core/database/record-merge";
import { columnsJson } from "@/lib/core/database/record-read";
import { existingSql, missingReferences, referencesOf } from "@/lib/core/database/references";
import { invalidFields, notFound } from "@/lib/core/errors";
import type { CustomField } from "@/lib/core/fields/definitions";
import { isHidden } from "@/lib/core/fields/facts";
import { problemsOnWire } from "@/lib/core/fields/problems";
import { type Sql, sql } from "@/lib/core/sql";
import { type Form, formBody } from "@/lib/forms/api-schema";
import { unlinkContactOf, unlinkContactsOf } from "@/lib/forms/contact-link";
import { asksCustom, lostCustom, missingCustomOfForm } from "@/lib/forms/custom";
import { removeDraftPart } from "@/lib/forms/drafts/drafts";
import { assertOpen, closedThroughSql } from "@/lib/forms/periods/closed-periods";
import { assertNotPurged, formJson, lockForms } from "@/lib/forms/read";
import { keepCheckedPart } from "@/lib/forms/review/checked";
import {
  clearForm,
  type FormInput,
  formSchema,
  missingEntries,
  missingFields,
  refusedCodes,
  refusedSections,
  withKeptParts,
} from "@/lib/forms/schema";
import { NO_CANINE } from "@/lib/forms/sections/canine";
import { serviceStatus } from "@/lib/forms/sections/service-status";
import { services } from "@/lib/forms/sections/services";
import { editedPart, leaveSession, ofSessionSql } from "@/lib/forms/session-link";
import type { ServiceCode } from "@/lib/lookups/api-schema";
import { formType, serviceCode } from "@/lib/lookups/api-schema";
import type { FormType } from "@/lib/lookups/types";

/** The values a save of a form reads before it writes. */
type Found = {
  stored: Form | null;
  /** Null if the form type that was sent does not exist. */
  formType: FormType | null;
  /** The flags whose parts were removed from the form type. */
  formerFlags: string[] | null;
  noneCanineId: number | null;
  /** The service codes of the rows that were sent or are stored. */
  codes: (ServiceCode & { offered: boolean; formerFlags: string[] })[] | null;
  /** The records that the input refers to and that exist. */
  known: string[] | null;
  closedThrough: string | null;
  /** The key of the client in the input; null if that client has none yet. */
  clientKey: ClientKey | null;
  /** The key of the stored form's client. */
  formerKey: ClientKey | null;
  /** True if a group session wrote the stored form. */
  ofSession: boolean;
};

/** The draft to delete with the save. An imported form keeps parts that its type had earlier. */
type FormSave = { draftKey?: string | null | undefined; isImported?: boolean };

/** How forms are saved. */
export const formSaves = ({ draftKey, isImported }: FormSave = {}): RemovableKind<FormInput, Found> => ({
  entity: "form",
  schema: formSchema,
  async open(query, actor, id, input) {
    await holdDefinitionsFor(query, input.custom);
    if (id === null) return find(query, actor, id, input);
    // Usually the form stays the client's. Then it is locked and read in one turn. Otherwise the closed period is locked
    // before the form, which is safe: closing a period locks nothing else.
    const [isLocked, found] = await Promise.all([
      lockFormOf(query, actor, id, input.clientId),
      find(query, actor, id, input),
    ]);
    if (isLocked) return found;
    await lockForm(query, actor, id, input.clientId);
    return find(query, actor, id, input);
  },
  async openToRemove(query, actor, id) {
    const clientId = await lockForm(query, actor, id);
    await lockClientWithoutHold(query, actor, clientId);
    const found = await find(query, actor, id, null);
    assertOpen(found.closedThrough, found.stored?.serviceOn);
    await unlinkContactOf(query, actor, { id, clientId });
    await leaveSession(query, actor, { id, clientId });
    return found;
  },
  prepare: (found, input) => prepare(found, input, isImported),
  besides: ({ stored }, _next, actor) => undoneByChange(actor, stored),
  events({ action, changes = [] }, { stored, clientKey, formerKey }, next) {
    const former = stored && { client: stored.clientId, clientKey: formerKey };
    const act = { action, entity: "form", changes };
    if (!next) return [{ ...act, ...former }];
    const current = { client: next.clientId, clientKey };
    if (!stored || next.clientId === stored.clientId) return [{ ...act, ...current }];
    // Values about the previous client are encrypted with that client's key only. PostgreSQL runs the last part first.
    return [
      { ...act, ...current, changes: changes.map((change) => ({ ...change, from: null })) },
      { ...act, ...former, changes: changes.map((change) => ({ ...change, to: null })) },
    ];
  },
  also(statement, row, actor, { action }) {
    if (action === "updated") keepCheckedPart(statement, row);
    if (action === "updated") editedPart(statement, row);
    if (draftKey) removeDraftPart(statement, actor, draftKey, row);
  },
});

/**
 * How a group session saves its own forms, many at a time. The session has locked their clients and the forms that exist,
 * and writes no custom fields.
 */
export const sessionFormSaves: BatchKind<FormInput, Found> = {
  ...formSaves(),
  openAll: findAll,
  async openAllToRemove(query, actor, ids) {
    const founds = await findAll(
      query,
      actor,
      ids.map((id) => ({ id, input: null })),
    );
    const clientIds = founds.flatMap(({ stored }) => stored?.clientId ?? []);
    await assertNoHold(query, clientIds);
    for (const { closedThrough, stored } of founds) assertOpen(closedThrough, stored?.serviceOn);
    await unlinkContactsOf(query, actor, ids);
    return founds;
  },
  also(statement, row, _actor, { action }) {
    if (action === "updated") keepCheckedPart(statement, row);
  },
};

/**
 * Locks a visible form of a client who was not purged, and returns the client's id. A form that gets the client `nextId` is
 * removed for its former one, which a legal hold forbids: both are locked before. Throws 404, 409, and 422.
 */
async function lockForm(query: Query, actor: SessionUser, id: number, nextId?: number): Promise<number> {
  const form = selectForms(sql`f.client_id AS "clientId"`, visibleFormsWhere(actor), sql`f.id = ${id}`);
  const [found] = await query<{ clientId: number }>(form);
  if (!found) throw notFound();
  const { clientId } = found;
  await lockClientRows(query, [clientId, ...(nextId === undefined ? [] : [nextId])]);
  const locked = (await lockForms(query, actor, [id])).get(id);
  assertNotPurged(locked);
  if (!locked) throw notFound();
  if (nextId !== undefined && nextId !== locked.clientId)
    await lockClientWithoutHold(query, actor, locked.clientId);
  return locked.clientId;
}

/** Locks a form of this client, which is the usual case: the client needs no lock. Returns false if it is another one's. */
async function lockFormOf(query: Query, actor: SessionUser, id: number, clientId: number): Promise<boolean> {
  const locked = (await lockForms(query, actor, [id], sql`f.client_id = ${clientId}`)).get(id);
  assertNotPurged(locked);
  return locked !== undefined;
}

const referencesIn = (input: FormInput) => [...referencesOf(formSchema, input, "form")];

/** The values that the saves of several forms of one type share. */
type Shared = Omit<Found, keyof OwnFound>;
/** The values of the save of one form. */
type OwnFound = Pick<Found, "stored" | "clientKey" | "formerKey" | "ofSession">;

/** Returns the columns of `Shared` for forms of one type: the input and the stored forms whose ids the SQL `ids` lists. */
function sharedColumns(
  actor: SessionUser,
  typeId: number | null,
  inputs: readonly FormInput[],
  ids: Sql,
): Sql {
  const type = sql`${typeId}::int`;
  const sentCodeIds = inputs.flatMap(({ serviceEntry }) =>
    (serviceEntry?.serviceProvidedEntries ?? []).flatMap(({ serviceCodeId }) => serviceCodeId ?? []),
  );
  const storedCodeIds = sql`SELECT p.service_code_id FROM service_provided_entries p
    JOIN service_entries e ON e.id = p.service_entry_id WHERE e.form_id = ANY(${ids})`;
  return sql`(SELECT ${columnsJson(formType, "t")} FROM form_types t WHERE t.id = ${type}) AS "formType",
    (SELECT former_flags FROM form_types WHERE id = ${type}) AS "formerFlags",
    (SELECT id FROM canines WHERE name = ${NO_CANINE}) AS "noneCanineId",
    (SELECT json_agg(${columnsJson(serviceCode, "sc")}::jsonb || jsonb_build_object('formerFlags', sc.former_flags, 'offered',
        EXISTS (SELECT FROM service_code_form_types o WHERE o.service_code_id = sc.id AND o.form_type_id = ${type})))
      FROM service_codes sc WHERE sc.id = ANY(${[...new Set(sentCodeIds)]}::int[]) OR sc.id IN (${storedCodeIds})) AS codes,
    ${existingSql(actor, formSchema, inputs.flatMap(referencesIn))} AS known, ${closedThroughSql("FOR SHARE")} AS "closedThrough"`;
}

/** Returns the columns of `OwnFound` for the form with the id `id`, and the client with the id `clientId` in the input. */
function ownColumns(actor: SessionUser, id: Sql, clientId: Sql): Sql {
  const visible = visibleFormsWhere(actor);
  const formerId = selectForms(sql`f.client_id`, visible, sql`f.id = ${id}`);
  return sql`(${selectForms(formJson(actor), visible, sql`f.id = ${id}`)}) AS stored,
    ${clientKeySql(clientId)} AS "clientKey", ${clientKeySql(sql`(${formerId})`)} AS "formerKey",
    ${ofSessionSql(id)} AS "ofSession"`;
}

/** Reads the form that the transaction has locked, if there is an id, with what its save needs; without input, its removal. */
async function find(
  query: Query,
  actor: SessionUser,
  id: number | null,
  input: FormInput | null,
): Promise<Found> {
  const ids = sql`ARRAY[${id}::int]`;
  const inputs = input ? [input] : [];
  const [found] = await query<Found>(
    sql`SELECT ${ownColumns(actor, sql`${id}::int`, sql`${input?.clientId ?? null}::int`)},
     ${sharedColumns(actor, input?.formTypeId ?? null, inputs, ids)}`,
  );
  if (!found) throw new Error("A SELECT without FROM returns a row");
  return found;
}

/** Does the same for several forms, with two statements for those of one type. */
async function findAll(
  query: Query,
  actor: SessionUser,
  saves: readonly BatchSave<FormInput | null>[],
): Promise<Found[]> {
  const ids = saves.map(({ id }) => id);
  const clientIds = saves.map(({ input }) => input?.clientId ?? null);
  const shared = new Map<number | null, Shared>();
  for (const typeId of new Set(saves.map(({ input }) => input?.formTypeId ?? null))) {
    const ofType = saves.flatMap(({ input }) => (input?.formTypeId === typeId ? [input] : []));
    const [found] = await query<Shared>(
      sql`SELECT ${sharedColumns(actor, typeId, ofType, sql`${ids}::int[]`)}`,
    );
    if (found) shared.set(typeId, found);
  }
  const own = await query<OwnFound>(
    sql`SELECT ${ownColumns(actor, sql`given.id`, sql`given.client_id`)}
     FROM unnest(${ids}::int[], ${clientIds}::int[]) WITH ORDINALITY AS given (id, client_id, place) ORDER BY given.place`,
  );
  return own.map((found, at) => {
    const common = shared.get(saves[at]?.input?.formTypeId ?? null);
    if (!common) throw new Error("A SELECT without FROM returns a row");
    return { ...common, ...found };
  });
}

/** Returns the flags to keep: those of the former flags that `kept`, an item with the flags of its values, has. */
const onlyFormer = (kept: object, formerFlags: readonly string[] | null) =>
  Object.fromEntries(Object.entries(kept).filter(([flag]) => formerFlags?.includes(flag)));

/** Returns the form type with the parts that the stored form has, or that an imported one has and the type had before. */
function typeOf(
  { formType, formerFlags, noneCanineId }: Found,
  stored: Form | null,
  imported: FormInput | null,
): FormType | null {
  if (formType && imported)
    return { ...formType, ...onlyFormer(withKeptParts(formType, imported, noneCanineId), formerFlags) };
  return formType && stored?.formTypeId === formType.id
    ? withKeptParts(formType, stored, noneCanineId)
    : formType;
}

/** Returns the service codes by id, with the details that stored or imported rows keep. */
function codesOf({ codes }: Found, stored: Form | null, imported: FormInput | null) {
  const byId = new Map(codes?.map((code) => [code.id, code]));
  for (const row of stored?.serviceEntry?.serviceProvidedEntries ?? []) {
    const code = byId.get(row.serviceCode.id);
    if (code) byId.set(code.id, services.withKeptDetails(code, row));
  }
  for (const row of imported?.serviceEntry?.serviceProvidedEntries ?? []) {
    const code = byId.get(row.serviceCodeId ?? 0);
    if (code)
      byId.set(code.id, {
        ...code,
        ...onlyFormer(services.withKeptDetails(code, row), code.formerFlags),
      });
  }
  return byId;
}

/**
 * Returns the values to store: the stored form overwritten by the input, validated, with the clearing rules applied.
 * Throws 409 in a closed period, and 422 with every invalid field. An imported form keeps parts that its type had earlier.
 */
function prepare(found: Found, input: FormInput, isImported = false): FormInput {
  const { stored } = found;
  assertOpen(found.closedThrough, stored?.serviceOn, input.serviceOn);
  assertCustomValues("form", formSchema, input.custom);
  const missing = missingReferences(referencesIn(input), found.known);
  const imported = isImported ? input : null;
  const formType = typeOf(found, stored, imported);
  if (!formType || Object.keys(missing).length > 0) throw invalidFields(problemsOnWire(formBody, missing));

  const problems: Record<string, string> = {
    ...refusedSections(input, formType),
    ...fixedBySession(found, input),
  };
  const values = merge(formSchema, stored, input, "form", problems);
  const codes = codesOf(found, stored, imported);
  const rows = (services.shows(formType) && values.serviceEntry?.serviceProvidedEntries) || [];
  Object.assign(
    problems,
    refusedCodes(rows, formType.id, stored, (id) => codes.get(id)?.offered ?? false),
  );
  const cleared = clearForm(values, { formType, noneCanineId: found.noneCanineId, codes });
  if (stored && cleared.custom) {
    const lost = lostCustom(
      { ...stored, formType: withKeptParts(stored.formType, stored, found.noneCanineId) },
      { formType, serviceStatus: cleared.serviceStatus },
    ).filter((key) => !(key in (input.custom ?? {})));
    cleared.custom = Object.fromEntries(
      Object.entries(cleared.custom).filter(([key]) => !lost.includes(key)),
    );
  }
  const needsStatus = serviceStatus.shows(cleared.serviceStatus) && !isHidden(serviceStatus.schema);
  if (needsStatus && !cleared.serviceStatusEntry) {
    problems["form.serviceStatusEntry"] = "A reason is required unless the client was served";
  }
  Object.assign(problems, missingEntries(input, cleared), missingFields(cleared, { formType, codes }));
  const asks = (field: CustomField) => asksCustom(field, formType, cleared.serviceStatus);
  Object.assign(problems, missingCustomOfForm(cleared, asks));
  if (Object.keys(problems).length > 0) throw invalidFields(problemsOnWire(formBody, problems));
  return cleared;
}

/** Returns the values that cannot change in a form of a group session, as `{path: problem}`. */
function fixedBySession({ stored, ofSession }: Found, input: FormInput): Record<string, string> {
  if (!stored || !ofSession) return {};
  const problem = "cannot be changed, because a group session recorded this form";
  return {
    ...(input.clientId !== stored.clientId && { "form.clientId": problem }),
    ...(input.formTypeId !== stored.formTypeId && { "form.formTypeId": problem }),
  };
}

const UNRECONCILED = {
  reconciled: false,
  reconciled_by_id: null,
  reconciled_at: null,
  answered_to_id: null,
};
const NOT_RETURNED = { returned_at: null, returned_by_id: null, return_comment: "" };

/**
 * Returns the columns that reset a form's review when it changes, with the changes for the event. The form is no longer
 * reconciled. Its own advocate's change ends a return and counts as a reply to the reviewer.
 */
function undoneByChange(actor: SessionUser, stored: Form | null): Besides {
  if (!stored) return {};
  const { reconciled, returned, userId } = stored;
  const isAnswer = returned !== null && userId === actor.userId;
  return {
    columns: {
      ...(reconciled && UNRECONCILED),
      ...(isAnswer && { ...NOT_RETURNED, answered_to_id: returned.by?.id ?? null }),
    },
    changes: [
      ...(reconciled ? [{ field: "form.reconciled", from: true, to: false }] : []),
      ...(isAnswer ? [{ field: "form.returned", from: returned.comment, to: null }] : []),
    ],
  };
}
