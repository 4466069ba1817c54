import "server-only";
import type { Change } from "@/lib/audit/changes";
import { type ClientKey, clientKeySql } from "@/lib/audit/values";
import type { SessionUser } from "@/lib/core/access/permissions";
import { visibleFormsWhere } from "@/lib/core/access/scope";
import { invalidFields } from "@/lib/core/api/errors";
import type { CreationKey, Keyed } from "@/lib/core/api/idempotency";
import { assertOwnValues } from "@/lib/core/api/own-values";
import type { Query } from "@/lib/core/database/client";
import { DEFINITIONS_VERSION, ensureDefinitions } from "@/lib/core/database/definitions";
import { merge } from "@/lib/core/database/record-merge";
import { columnsJson } from "@/lib/core/database/record-read";
import { existingSql, missingReferences, referencesOf } from "@/lib/core/database/references";
import { type Sql, sql } from "@/lib/core/database/sql";
import type { StoredVersion } from "@/lib/core/database/versions";
import type { OwnField } from "@/lib/core/fields/definitions";
import { isHidden } from "@/lib/core/fields/facts";
import { problemsOnWire } from "@/lib/core/fields/problems";
import { type Form, formBody } from "@/lib/forms/api-schema";
import { asksOwn, lostOwn, missingOwnOfForm } from "@/lib/forms/own";
import { assertOpen, closedThroughSql } from "@/lib/forms/periods/closed-periods";
import { assertNotPurged, FORM_JSON, type LockedForm, PURGED } from "@/lib/forms/read";
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
import { formType, serviceCode } from "@/lib/lookups/api-schema";
import type { FormType, ServiceCode } from "@/lib/lookups/types";

/** The values a save reads before it writes. */
export type SaveContext = {
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
  definitionsVersion: number;
};

const referencesIn = (input: FormInput) => [...referencesOf(formSchema, input, "form")];

/** SQL for the columns of a `SaveContext`, for the form with this id or for a new one. */
function contextSql(actor: SessionUser, input: FormInput, formId: number | null): Sql {
  const type = sql`${input.formTypeId}::int`;
  const sentCodeIds = (input.serviceEntry?.serviceProvidedEntries ?? []).flatMap(
    ({ serviceCodeId }) => serviceCodeId ?? [],
  );
  const storedCodeIds = sql`SELECT p.service_code_id FROM service_provided_entries p
    JOIN service_entries e ON e.id = p.service_entry_id WHERE e.form_id = ${formId}::int`;
  return sql`(SELECT ${columnsJson(formType, "t")} FROM form_types t WHERE t.id = ${type}) AS "formType",
    (SELECT former_flags FROM form_types WHERE id = ${type}) AS "formerFlags",
    (SELECT id FROM canines WHERE name = ${NO_CANINE}) AS "noneCanineId",
    (SELECT json_agg(${columnsJson(serviceCode, "sc")}::jsonb || jsonb_build_object('formerFlags', sc.former_flags, 'offered',
        EXISTS (SELECT FROM service_code_form_types o WHERE o.service_code_id = sc.id AND o.form_type_id = ${type})))
      FROM service_codes sc WHERE sc.id = ANY(${sentCodeIds}::int[]) OR sc.id IN (${storedCodeIds})) AS codes,
    ${existingSql(actor, formSchema, referencesIn(input))} AS known, ${closedThroughSql()} AS "closedThrough",
    ${clientKeySql(sql`${input.clientId}::int`)} AS "clientKey", ${DEFINITIONS_VERSION}`;
}

/**
 * Reads the data that the save of a new form needs. Also reads the record that an earlier request with the same key
 * created.
 */
export async function readForCreate(
  query: Query,
  actor: SessionUser,
  input: FormInput,
  key: CreationKey | null = null,
): Promise<SaveContext & Keyed> {
  const [context] = await query<SaveContext & Keyed>(
    sql`SELECT ${contextSql(actor, input, null)}, ${key?.first ?? sql`NULL`} AS first`,
  );
  if (!context) throw new Error("A SELECT without FROM returns a row");
  await ensureDefinitions(context.definitionsVersion);
  return context;
}

/** A form before its save, and the key of its current client. */
type StoredForm = StoredVersion &
  Pick<LockedForm, "clientPurged"> & { stored: Form; formerKey: ClientKey | null };

/** Reads a visible form and what its save needs in one statement. Returns null if there is no such form. */
export async function readForUpdate(
  query: Query,
  actor: SessionUser,
  id: number,
  input: FormInput,
): Promise<(SaveContext & StoredForm) | null> {
  const [row] = await query<SaveContext & StoredForm>(
    sql`SELECT ${FORM_JSON} AS stored, f.lock_version AS "lockVersion", u.first_name || ' ' || u.last_name AS "changedBy",
       ${PURGED} AS "clientPurged", ${contextSql(actor, input, id)}, ${clientKeySql(sql`f.client_id`)} AS "formerKey"
     FROM forms f LEFT JOIN users u ON u.id = f.updated_by_id
     WHERE f.id = ${id} AND ${visibleFormsWhere(actor)}`,
  );
  if (!row) return null;
  assertNotPurged(row);
  await ensureDefinitions(row.definitionsVersion);
  return row;
}

/** Returns the flags to keep: those of the former flags that `kept`, an item with the flags of its values, has. */
const onlyFormer = (kept: object, formerFlags: readonly string[] | null) =>
  Object.fromEntries(Object.entries(kept).filter(([flag]) => formerFlags?.includes(flag)));

/** Returns the form type with the parts that the stored form has, or that an imported one has and the type had before. */
function typeOf(
  { formType, formerFlags, noneCanineId }: SaveContext,
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
function codesOf({ codes }: SaveContext, stored: Form | null, imported: FormInput | null) {
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
export function prepare(
  stored: Form | null,
  input: FormInput,
  context: SaveContext,
  isImported = false,
): FormInput {
  assertOpen(context.closedThrough, stored?.serviceOn, input.serviceOn);
  assertOwnValues("form", formSchema, input.custom);
  const missing = missingReferences(referencesIn(input), context.known);
  const imported = isImported ? input : null;
  const formType = typeOf(context, stored, imported);
  if (!formType || Object.keys(missing).length > 0) throw invalidFields(problemsOnWire(formBody, missing));

  const problems: Record<string, string> = refusedSections(input, formType);
  const values = merge(formSchema, stored, input, "form", problems);
  const codes = codesOf(context, stored, imported);
  const rows = (services.shows(formType) && values.serviceEntry?.serviceProvidedEntries) || [];
  Object.assign(
    problems,
    refusedCodes(rows, formType.id, stored, (id) => codes.get(id)?.offered ?? false),
  );
  const cleared = clearForm(values, { formType, noneCanineId: context.noneCanineId, codes });
  if (stored && cleared.custom) {
    const lost = lostOwn(
      { ...stored, formType: withKeptParts(stored.formType, stored, context.noneCanineId) },
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
  const asks = (field: OwnField) => asksOwn(field, formType, cleared.serviceStatus);
  Object.assign(problems, missingOwnOfForm(cleared, asks));
  if (Object.keys(problems).length > 0) throw invalidFields(problemsOnWire(formBody, problems));
  return cleared;
}

const UNRECONCILED = {
  reconciled: false,
  reconciled_by_id: null,
  reconciled_at: null,
  answered_to_id: null,
};
const NOT_RETURNED = { returned_at: null, returned_by_id: null, return_comment: "" };

/**
 * Returns the columns that reset a form's review when it changes. The form is no longer reconciled. Its own advocate's
 * change ends a return and counts as a reply to the reviewer.
 */
export const undoneByChange = (actor: SessionUser, { reconciled, returned, userId }: Form) => ({
  ...(reconciled && UNRECONCILED),
  ...(returned && userId === actor.userId && { ...NOT_RETURNED, answered_to_id: returned.by?.id ?? null }),
});

/** The same reset as changes of the audit event. */
export const undoneChanges = (undone: ReturnType<typeof undoneByChange>, { returned }: Form): Change[] => [
  ...("reconciled" in undone ? [{ field: "form.reconciled", from: true, to: false }] : []),
  ...("returned_at" in undone ? [{ field: "form.returned", from: returned?.comment, to: null }] : []),
];
