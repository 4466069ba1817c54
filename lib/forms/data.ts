import "server-only";
import { invalidFields, notFound } from "@/lib/api/errors";
import { once } from "@/lib/api/idempotency";
import type { Meta } from "@/lib/api/paging";
import { audit } from "@/lib/auth/audit";
import type { SessionUser } from "@/lib/auth/permissions";
import { visibleForms, visibleFormsSql } from "@/lib/auth/scope";
import { db, type Tx } from "@/lib/database/client";
import { readPage } from "@/lib/database/list";
import { merge, plainOf, selectOf, writeOf } from "@/lib/database/records";
import { checkReferences } from "@/lib/database/references";
import { saveVersion } from "@/lib/database/versions";
import { removeDraft } from "@/lib/drafts/data";
import { problemsOnWire } from "@/lib/fields/validation";
import {
  clearForm,
  type Form,
  type FormInput,
  type FormListItem,
  type formListQuery,
  formSchema,
  missingEntries,
  refusedSections,
} from "@/lib/forms/schema";
import { noneCanineId } from "@/lib/forms/sections/canine";
import { serviceStatus } from "@/lib/forms/sections/service-status";
import { services } from "@/lib/forms/sections/services";
import type { FormType } from "@/lib/forms/types";

type Values = Record<string, unknown>;
type ListQuery = ReturnType<typeof formListQuery.parse>;

const CODE_SELECT = {
  id: true,
  code: true,
  description: true,
  hotelShelter: true,
  videoconferencing: true,
  canBeMagistrate: true,
  onCallMainType: true,
  hasReferral: true,
} as const;

export const FORM_TYPE_SELECT = {
  id: true,
  name: true,
  intakeOnly: true,
  phone: true,
  serviceEntry: true,
  onCallAdvocacyEntry: true,
  phoneEntry: true,
  legalAdvocacyEntry: true,
  survivorEntry: true,
  clientBiographicalEntry: true,
  clientDemographicalEntry: true,
} as const;

const SELECT = withServiceCodes({
  ...selectOf(formSchema),
  reconciled: true,
  lockVersion: true,
  userId: true,
  user: { select: { id: true, firstName: true, lastName: true } },
  client: { select: { id: true, name: true } },
  formType: { select: FORM_TYPE_SELECT },
});

/** A provided entry is answered with its service code and its parent's id (spec §3). */
function withServiceCodes(select: Values): Values {
  const entry = select.serviceEntry as { select: { serviceProvidedEntries: { select: Values } } };
  entry.select.serviceProvidedEntries.select.serviceEntryId = true;
  entry.select.serviceProvidedEntries.select.serviceCode = { select: CODE_SELECT };
  return select;
}

/** The forms of a page that the actor may see (spec §7, contract §2). */
export async function listForms(
  actor: SessionUser,
  query: ListQuery,
): Promise<{ forms: FormListItem[]; meta: Meta }> {
  const scope = visibleFormsSql(actor, "$1");
  const { items, meta } = await readPage<FormListItem>(
    {
      table: "forms f",
      alias: "f",
      joins: `JOIN clients c ON c.id = f.client_id JOIN users u ON u.id = f.user_id
        JOIN form_types t ON t.id = f.form_type_id`,
      item: `json_build_object('id', f.id, 'serviceStatus', f.service_status, 'serviceOn', f.service_on,
        'reconciled', f.reconciled, 'client', json_build_object('id', c.id, 'name', c.name),
        'user', json_build_object('id', u.id, 'firstName', u.first_name, 'lastName', u.last_name),
        'formType', json_build_object('id', t.id, 'name', t.name))`,
      where: [scope.sql, "f.reconciled = $2", "($3::int IS NULL OR f.user_id = $3)"],
      values: [scope.value, query.filters.formStatus === "reconciled", query.filters.userId],
      searched: ["c.name"],
      sorts: {
        client: "lower(c.name)",
        advocate: "lower(u.first_name || ' ' || u.last_name)",
        formType: "t.name",
        serviceStatus: "f.service_status",
        serviceOn: "f.service_on",
      },
    },
    query,
  );
  return { forms: items, meta };
}

/** One form that the actor may see, and a note of who looked; 404 otherwise. */
export async function getForm(actor: SessionUser, id: number): Promise<Form> {
  const form = await readForm(db(), actor, id);
  await audit(db(), actor, "viewed", "form", id);
  return form;
}

/** What a save may carry beside the form: `Idempotency-Key`, and `Draft-Key` of the draft that it makes needless. */
type SaveKeys = { idempotencyKey?: string | null; draftKey?: string | null };

/** Creates a form of the actor's with all its parts, or nothing; a repeated key answers the first answer. */
export async function createForm(
  actor: SessionUser,
  input: FormInput,
  { idempotencyKey = null, draftKey }: SaveKeys = {},
): Promise<Form> {
  return db().$transaction(async (tx) => {
    const form = await once(tx, actor, idempotencyKey, { form: input }, async () => {
      const values = await prepare(tx, null, input);
      const { id } = await tx.form.create({
        data: {
          ...(writeOf(formSchema, values, null) as {
            clientId: number;
            formTypeId: number;
            serviceOn: Date;
            serviceStatus: string;
            verbalConfirmation: boolean;
          }),
          userId: actor.userId,
          updatedById: actor.userId,
        },
      });
      await audit(tx, actor, "created", "form", id);
      return readForm(tx, actor, id);
    });
    if (draftKey) await removeDraft(actor, draftKey, tx);
    return form;
  });
}

/** Updates a visible form with all its parts, or nothing; the owner stays. 404, 409 and 422 as the contract says. */
export async function updateForm(
  actor: SessionUser,
  id: number,
  input: FormInput,
  { draftKey }: Pick<SaveKeys, "draftKey"> = {},
): Promise<Form> {
  const save = async (tx: Tx): Promise<Form> => {
    const stored = (await readForm(tx, actor, id)) as unknown as Values;
    const values = await prepare(tx, stored, input);
    await tx.form.update({
      where: { id, ...visibleForms(actor) },
      data: {
        ...writeOf(formSchema, values, stored),
        updatedById: actor.userId,
        lockVersion: { increment: 1 },
      },
    });
    await audit(tx, actor, "updated", "form", id);
    if (draftKey) await removeDraft(actor, draftKey, tx);
    return readForm(tx, actor, id);
  };
  return saveVersion("forms", id, input.lockVersion, save, visibleFormsSql(actor, "$2"));
}

/** Marks a visible form as checked, or not (spec §4). */
export async function reconcileForm(actor: SessionUser, id: number, reconciled: boolean): Promise<Form> {
  return db().$transaction(async (tx) => {
    const { count } = await tx.form.updateMany({
      where: { id, ...visibleForms(actor) },
      data: { reconciled, updatedById: actor.userId, lockVersion: { increment: 1 } },
    });
    if (count === 0) throw notFound();
    await audit(tx, actor, reconciled ? "reconciled" : "unreconciled", "form", id);
    return readForm(tx, actor, id);
  });
}

/** Removes a visible form with its own nested entries. */
export async function removeForm(actor: SessionUser, id: number): Promise<void> {
  await db().$transaction(async (tx) => {
    const { count } = await tx.form.deleteMany({ where: { id, ...visibleForms(actor) } });
    if (count === 0) throw notFound();
    await audit(tx, actor, "removed", "form", id);
  });
}

async function readForm(tx: Tx, actor: SessionUser, id: number): Promise<Form> {
  const row = await tx.form.findFirst({
    where: { id, ...visibleForms(actor) },
    select: SELECT,
  });
  if (!row) throw notFound();
  return plainOf(row) as Form;
}

/** The values to store: what is stored, what was sent over it, checked, and the clearing rules over all of it. */
async function prepare(tx: Tx, stored: Values | null, input: FormInput): Promise<Values> {
  const problems: Record<string, string> = {};
  const values = merge(stored, input, "form", problems) as FormInput;
  await checkReferences(tx, "form", input);
  const formType: FormType = await tx.formType.findUniqueOrThrow({
    where: { id: input.formTypeId },
    select: FORM_TYPE_SELECT,
  });
  Object.assign(problems, refusedSections(input, formType));

  const codes = await offeredCodes(tx, values, formType, (stored ?? {}) as Partial<FormInput>, problems);
  const canines = await tx.canine.findMany({ where: { name: "None" }, select: { id: true, name: true } });
  const cleared = clearForm(values, { formType, noneCanineId: noneCanineId(canines), codes });
  if (serviceStatus.shows(cleared.serviceStatus) && !cleared.serviceStatusEntry) {
    problems["form.serviceStatusEntry"] = "is required unless the client was served";
  }
  Object.assign(problems, missingEntries(input, cleared));
  if (Object.keys(problems).length > 0) throw invalidFields(problemsOnWire(problems));
  return cleared;
}

/**
 * The codes of the form's rows. One that the form type does not offer is a problem, unless the row had it
 * already: withdrawing a code must not make old forms impossible to save. Another form type is another offer.
 */
async function offeredCodes(
  tx: Tx,
  values: FormInput,
  formType: FormType,
  stored: Partial<FormInput>,
  problems: Record<string, string>,
) {
  const rows = (services.shows(formType) && values.serviceEntry?.serviceProvidedEntries) || [];
  const ids = rows.flatMap(({ serviceCodeId }) => serviceCodeId ?? []);
  const codes = await tx.serviceCode.findMany({
    where: { id: { in: ids } },
    select: {
      ...CODE_SELECT,
      formTypes: { where: { formTypeId: formType.id }, select: { formTypeId: true } },
    },
  });
  const byId = new Map(codes.map((code) => [code.id, code]));
  const before = stored.formTypeId === formType.id ? stored.serviceEntry?.serviceProvidedEntries : [];
  const had = new Map(before?.map((row) => [row.id, row.serviceCodeId]));
  rows.forEach((row, index) => {
    if (row._destroy || row.serviceCodeId === undefined || !services.isSpent(row.minutes)) return;
    const keeps = row.id !== undefined && had.get(row.id) === row.serviceCodeId;
    const offered = (byId.get(row.serviceCodeId)?.formTypes.length ?? 0) > 0;
    if (!offered && !keeps) {
      problems[`form.serviceEntry.serviceProvidedEntries.${index}.serviceCodeId`] =
        "is not offered for this form type";
    }
  });
  return byId;
}
