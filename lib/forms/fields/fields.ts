import "server-only";
import { differences } from "@/lib/audit/changes";
import { audit, auditSave } from "@/lib/audit/record";
import { findRestorable } from "@/lib/clients/merges/merges";
import { clientSchema } from "@/lib/clients/schema";
import type { SessionUser } from "@/lib/core/access/permissions";
import { assertAllowed, selectClients, selectForms, withoutActor } from "@/lib/core/access/scope";
import { inTransaction, type Query } from "@/lib/core/database/client";
import { readDefinitions } from "@/lib/core/database/definitions";
import { AppError, inUse, invalid, notFound } from "@/lib/core/errors";
import { hasCustomValue, sectionTitle } from "@/lib/core/fields/custom";
import type { CustomField } from "@/lib/core/fields/definitions";
import { customFieldPath } from "@/lib/core/fields/in-order";
import { isRetired } from "@/lib/core/fields/required";
import { type Sql, sql } from "@/lib/core/sql";
import { whole } from "@/lib/core/text/format";
import { CUSTOM_SECTIONS } from "@/lib/forms/custom";
import { changeDefinitions, saveOrder } from "@/lib/forms/fields/change";
import { labelProblem } from "@/lib/forms/fields/labels";
import { ALL_CHOICES_MAX, FIELDS_IN_USE_MAX, FIELDS_MAX, type FieldInput } from "@/lib/forms/fields/schema";
import { formSchema } from "@/lib/forms/schema";

// Custom fields. Every change increments the version of the definitions in its transaction, which also
// makes changes wait for each other.

/** Creates a custom field. Throws 422 with the invalid fields. */
export function createField(actor: SessionUser, input: FieldInput): Promise<CustomField> {
  assertAllowed(actor, "form-setup");
  return inTransaction(async (query) => {
    const { fields } = await changeDefinitions(query);
    assertSection(input);
    assertWithinLimits(fields, input, null);
    assertFreeLabel(input, null);
    await assertFormTypes(query, input.formTypeIds);
    const keys = await query<{ key: string }>(sql`SELECT name AS key FROM custom_fields`);
    const key = freeKey(
      input.label,
      keys.map((field) => field.key),
    );
    const [created] = await query<{ id: number }>(
      sql`INSERT INTO custom_fields (name, record, section, label, hint, kind, required_from, sensitive, retired_from)
       VALUES (${key}, ${input.record}, ${input.section}, ${input.label}, ${input.hint}, ${input.kind},
         ${input.requiredFrom}::date, ${input.sensitive}, ${input.retiredFrom}::date) RETURNING id`,
    );
    if (!created) throw notFound();
    await writeChoices(query, created.id, null, input.choices);
    await writeFormTypes(query, created.id, input.formTypeIds);
    const field = await readField(query, created.id);
    const changes = differences("field", {}, auditedOf(field));
    await audit(query, actor, { action: "created", entity: "field", entityId: field.id, changes });
    return field;
  });
}

/**
 * Changes a custom field. Throws 404; 409 if someone else changed it since, or if a removed choice has values; 422 with the
 * invalid fields.
 */
export function updateField(actor: SessionUser, id: number, input: FieldInput): Promise<CustomField> {
  assertAllowed(actor, "form-setup");
  return inTransaction(async (query) => {
    const { fields, order } = await changeDefinitions(query);
    const stored = fields.find((field) => field.id === id);
    if (!stored) throw notFound();
    if (input.lockVersion !== undefined && input.lockVersion !== stored.lockVersion)
      throw new AppError("conflict_version", "Someone else changed this field since you opened it");
    if (input.record !== stored.record) throw invalid("field.record", "Record cannot be changed");
    if (input.kind !== stored.kind)
      throw invalid("field.kind", "Kind cannot be changed. Retire the field and add another one.");
    assertSection(input);
    assertWithinLimits(fields, input, stored);
    assertFreeLabel(input, stored);
    await assertFormTypes(query, input.formTypeIds);
    await query(
      sql`UPDATE custom_fields SET section = ${input.section}, label = ${input.label}, hint = ${input.hint},
         required_from = ${input.requiredFrom}::date, sensitive = ${input.sensitive},
         retired_from = ${input.retiredFrom}::date WHERE id = ${id}`,
    );
    // A field that moves to another section comes last there.
    if (input.section !== stored.section)
      await saveOrder(
        query,
        order.filter((path) => path !== customFieldPath(stored)),
      );
    await writeChoices(query, id, stored, input.choices);
    await writeFormTypes(query, id, input.formTypeIds);
    const changes = differences("field", auditedOf(stored), auditedOf(await readField(query, id)));
    if (changes.length > 0)
      await query(
        sql`UPDATE custom_fields SET lock_version = lock_version + 1, updated_at = now() WHERE id = ${id}`,
      );
    await auditSave(query, actor, { entity: "field", entityId: id, changes });
    return readField(query, id);
  });
}

/** Removes a custom field that no record has a value of. Throws 404, and 409 if a record has one. */
export function removeField(actor: SessionUser, id: number): Promise<void> {
  assertAllowed(actor, "form-setup");
  return inTransaction(async (query) => {
    const { fields } = await changeDefinitions(query);
    const stored = fields.find((field) => field.id === id);
    if (!stored) throw notFound();
    if ((await valueInUse(query, stored)) !== undefined) throw inUse("field", 0, stored.record);
    await query(sql`UPDATE custom_fields SET removed = TRUE, updated_at = now() WHERE id = ${id}`);
    // Otherwise a removed field would keep its form types from being removed.
    await query(sql`DELETE FROM custom_field_form_types WHERE custom_field_id = ${id}`);
    const changes = [{ field: "field.label", from: stored.label, to: null }];
    await audit(query, actor, { action: "removed", entity: "field", entityId: id, changes });
  });
}

const EVERY_RECORD = withoutActor("a value in any record prevents removal of its field");

/**
 * Returns the value of one record that has a value of the field or, with `choiceIds`, one of these choices; undefined if no
 * record has. Clients that the undo of a merge would restore count too.
 */
async function valueInUse(
  query: Query,
  { key, record }: Pick<CustomField, "key" | "record">,
  choiceIds?: readonly number[],
): Promise<unknown> {
  const value = (custom: Sql) =>
    choiceIds
      ? sql`${custom} -> ${key}::text @> ANY (ARRAY(SELECT to_jsonb(id) FROM unnest(${choiceIds}::int[]) id))`
      : sql`jsonb_exists(${custom}, ${key})`;
  const [found] = await query<{ value: unknown }>(
    record === "client"
      ? sql`${selectClients(sql`c.custom -> ${key}::text AS value`, EVERY_RECORD, value(sql`c.custom`))} LIMIT 1`
      : sql`${selectForms(sql`f.custom -> ${key}::text AS value`, EVERY_RECORD, value(sql`f.custom`))} LIMIT 1`,
  );
  if (found || record === "form") return found?.value;
  const isMeant = (stored: unknown) =>
    choiceIds ? choicesIn(stored).some((id) => choiceIds.includes(id)) : hasCustomValue(stored);
  return (await findRestorable(query, ({ custom }) => isMeant(custom?.[key])))?.custom?.[key];
}

/** Returns the ids in a value of one or several choices. */
const choicesIn = (value: unknown): number[] => [value].flat().filter((id) => typeof id === "number");

async function readField(query: Query, id: number): Promise<CustomField> {
  const field = (await readDefinitions(query)).fields.find((one) => one.id === id);
  if (!field) throw notFound();
  return field;
}

/** Returns the parts of a field whose changes are recorded. */
const auditedOf = ({ id: _, lockVersion: __, ...field }: CustomField) => field;

/** Replaces the stored choices with `choices`, in this order. Throws 409 if a removed one has values. */
async function writeChoices(
  query: Query,
  fieldId: number,
  stored: CustomField | null,
  choices: FieldInput["choices"],
): Promise<void> {
  const known = new Set(stored?.choices.map(({ id }) => id));
  const unknown = choices.findIndex(({ id }) => id !== undefined && !known.has(id));
  if (unknown !== -1) throw invalid(`field.choices.${unknown}.id`, "Choice belongs to another field");
  const kept = new Set(choices.map(({ id }) => id));
  const removed = stored?.choices.filter(({ id }) => !kept.has(id)) ?? [];
  if (stored && removed.length > 0) {
    const ids = removed.map(({ id }) => id);
    const inValue = choicesIn(await valueInUse(query, stored, ids));
    const used = removed.find(({ id }) => inValue.includes(id));
    if (used) throw inUse(`choice ${used.label}`, 0, stored.record);
    await query(sql`DELETE FROM custom_choices WHERE id = ANY(${ids}::int[])`);
  }
  for (const [position, { id, label, retiredFrom }] of choices.entries())
    await query(
      id === undefined
        ? sql`INSERT INTO custom_choices (custom_field_id, label, position, retired_from)
           VALUES (${fieldId}, ${label}, ${position}, ${retiredFrom}::date)`
        : sql`UPDATE custom_choices SET label = ${label}, position = ${position}, retired_from = ${retiredFrom}::date
           WHERE id = ${id}`,
    );
}

async function writeFormTypes(query: Query, fieldId: number, ids: readonly number[]): Promise<void> {
  await query(sql`DELETE FROM custom_field_form_types WHERE custom_field_id = ${fieldId}`);
  await query(
    sql`INSERT INTO custom_field_form_types (custom_field_id, form_type_id) SELECT ${fieldId}::int, unnest(${ids}::int[])`,
  );
}

async function assertFormTypes(query: Query, ids: readonly number[]): Promise<void> {
  const known = await query(sql`SELECT FROM form_types WHERE id = ANY(${ids}::int[])`);
  if (known.length < ids.length) throw invalid("field.formTypeIds", "Form type does not exist");
}

const rootOf = (record: CustomField["record"]) => (record === "client" ? clientSchema : formSchema);

/** Throws 422 for an entry that no screen shows as a section, because no one could fill out its fields. */
function assertSection({ record, section }: FieldInput): void {
  const sections: readonly string[] = CUSTOM_SECTIONS[record];
  if (sectionTitle(rootOf(record), section) !== section && !sections.includes(section))
    throw invalid("field.section", "Section is a reserved name. Please choose another title.");
}

/** Throws 422 if the change makes the definitions exceed a limit. */
function assertWithinLimits(
  fields: readonly CustomField[],
  input: FieldInput,
  stored: CustomField | null,
): void {
  const others = fields.filter((field) => field !== stored);
  if (!stored && others.length >= FIELDS_MAX)
    throw invalid("field.label", `You can have at most ${FIELDS_MAX} custom fields, including retired ones`);
  const isMoreInUse = !isRetired(input) && (!stored || isRetired(stored));
  if (isMoreInUse && others.filter((field) => !isRetired(field)).length >= FIELDS_IN_USE_MAX)
    throw invalid(
      "field.label",
      `You can have at most ${FIELDS_IN_USE_MAX} custom fields in use. Please retire one first.`,
    );
  const choices = others.reduce((sum, field) => sum + field.choices.length, input.choices.length);
  if (choices > ALL_CHOICES_MAX && input.choices.length > (stored?.choices.length ?? 0))
    throw invalid(
      "field.choices",
      `Custom fields can have at most ${whole(ALL_CHOICES_MAX)} choices in total, including retired ones`,
    );
}

/** Throws 422 if another field of the record has the label. An unchanged label is accepted. */
function assertFreeLabel({ record, section, label }: FieldInput, stored: CustomField | null): void {
  if (stored && stored.section === section && stored.label === label) return;
  const title = sectionTitle(rootOf(record), section);
  const path = stored ? `custom.${stored.key}` : "";
  const problem = labelProblem({ record, title, path }, label);
  if (problem) throw invalid("field.label", `Label ${problem}`);
}

/** Keys that already have a meaning in a record. */
const RESERVED = new Set(["id", "lockVersion", "custom", "prototype"]);

/** Returns a key for the label that no field has or had, such as `housingNeed` or `housingNeed2`. */
function freeKey(label: string, taken: readonly string[]): string {
  const words = label
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9\s]/g, "")
    .split(/\s+/)
    .filter(Boolean);
  const name = words
    .map((word, at) =>
      at === 0 ? word.toLowerCase() : word.charAt(0).toUpperCase() + word.slice(1).toLowerCase(),
    )
    .join("")
    .slice(0, 40);
  // A path's numbers are rows, and `…Attributes` is a nested record.
  const word = (/^[a-z]/.test(name) ? name : `field${name}`).replace(/Attributes$/, "Attribute");
  const start = RESERVED.has(word) || word in {} ? `${word}Field` : word;
  for (let number = 1; ; number++) {
    const key = number === 1 ? start : `${start}${number}`;
    if (!taken.includes(key)) return key;
  }
}
