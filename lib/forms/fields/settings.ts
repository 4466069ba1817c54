import "server-only";
import { differences } from "@/lib/audit/changes";
import { auditSave } from "@/lib/audit/record";
import type { SessionUser } from "@/lib/core/access/permissions";
import { assertAllowed } from "@/lib/core/access/scope";
import { inTransaction, type Query } from "@/lib/core/database/client";
import { invalidFields, notFound } from "@/lib/core/errors";
import type { CustomField, Definitions, FieldSetting } from "@/lib/core/fields/definitions";
import { declaredFacts } from "@/lib/core/fields/facts";
import { customFieldPath, withOrder } from "@/lib/core/fields/in-order";
import { sql } from "@/lib/core/sql";
import { today } from "@/lib/core/text/format";
import { changeDefinitions, saveOrder } from "@/lib/forms/fields/change";
import {
  NO_SETTING,
  orderProblems,
  type Place,
  placeAt,
  settingAt,
  settingItem,
  settingProblems,
  withSetting,
} from "@/lib/forms/fields/controls";
import { labelProblem } from "@/lib/forms/fields/labels";
import type { FieldSettingInput, FieldSettingItem } from "@/lib/forms/fields/settings-schema";

/** Returns the problem with a new label; "" if it is available. */
function newLabelProblem({ path, parent }: Place, label: string): string {
  const [record, ...names] = path.split(".");
  return labelProblem(
    {
      record: record === "client" ? "client" : "form",
      title: names.length > 1 ? (declaredFacts(parent)?.label ?? "") : "",
      path: names.join("."),
    },
    label,
  );
}

const WORDS: Readonly<Record<string, string>> = {
  hidden: "This field",
  label: "Label",
  hint: "Hint",
  requiredFrom: "Required From",
};

/**
 * Changes the organization's settings for a built-in field, and records it. Throws 404, and 422 with the invalid parts.
 */
export function saveFieldSetting(
  actor: SessionUser,
  path: string,
  input: FieldSettingInput,
): Promise<FieldSettingItem> {
  assertAllowed(actor, "form-setup");
  return inTransaction(async (query) =>
    writeSetting(query, actor, await changeDefinitions(query), path, input),
  );
}

/** Resets a built-in field, or a section and the order of its fields. Throws as `saveFieldSetting` does. */
export function resetFieldSetting(actor: SessionUser, path: string): Promise<void> {
  assertAllowed(actor, "form-setup");
  return inTransaction(async (query) => {
    const definitions = await changeDefinitions(query);
    const { fields, order } = definitions;
    await writeSetting(query, actor, definitions, path, NO_SETTING);
    const inside = new Set(
      fields.flatMap((field) => (sectionPath(field) === path ? [customFieldPath(field)] : [])),
    );
    const isReset = (one: string) => one === path || one.startsWith(`${path}.`) || inside.has(one);
    const next = order.filter((one) => !isReset(one));
    if (next.length < order.length) await writeOrder(query, actor, order, next);
  });
}

/** Changes a setting and records it, in a transaction that holds the definitions. Throws as `saveFieldSetting` does. */
async function writeSetting(
  query: Query,
  actor: SessionUser,
  { settings }: Definitions,
  path: string,
  { label, hint, ...others }: FieldSettingInput,
): Promise<FieldSettingItem> {
  const place = placeAt(path);
  if (!place) throw notFound();
  const stored = settingAt(settings, path);
  const { facts } = place;
  const setting: FieldSetting = {
    ...stored,
    ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)),
    ...(label !== undefined && { label: changedWords(label, facts.label) || null }),
    ...(hint !== undefined && { hint: changedWords(hint, facts.hint ?? "") }),
  };
  assertUsable(place, settings, stored, setting);
  const next = withSetting(settings, setting);
  await query(sql`DELETE FROM field_settings WHERE path = ${path}`);
  if (next.includes(setting))
    await query(
      sql`INSERT INTO field_settings (path, hidden, label, hint, required_from)
       VALUES (${path}, ${setting.hidden}, ${setting.label}, ${setting.hint}, ${setting.requiredFrom}::date)`,
    );
  if (setting.hidden !== stored.hidden) await (setting.hidden ? beginPeriod : endPeriod)(query, path);
  // The path names the field in the Audit Log.
  const changes = differences(`field.${path}`, { ...stored }, { ...setting });
  await auditSave(query, actor, { entity: "field", changes });
  return settingItem(place, next);
}

/** Throws 422 with the invalid parts of a changed setting. */
function assertUsable(
  place: Place,
  settings: readonly FieldSetting[],
  stored: FieldSetting,
  setting: FieldSetting,
): void {
  const problems = settingProblems(place, settings, setting);
  const labelTaken =
    setting.label !== null && setting.label !== stored.label && newLabelProblem(place, setting.label);
  if (labelTaken) problems.label ??= labelTaken;
  if (Object.keys(problems).length === 0) return;
  const label = settingItem(place, settings).label ?? place.facts.label;
  throw invalidFields(
    Object.fromEntries(
      Object.entries(problems).map(([part, problem]) => [
        `fieldSetting.${part}`,
        `${part === "hidden" ? label : WORDS[part]} ${problem}`,
      ]),
    ),
  );
}

/** Stores that the field is hidden starting today. */
const beginPeriod = (query: Query, path: string) =>
  query(
    sql`INSERT INTO hidden_periods (path, hidden_from) VALUES (${path}, ${today()}::date)
     ON CONFLICT (path, hidden_from) DO UPDATE SET shown_from = NULL`,
  );

/** Ends the current hidden period. Reports still count it, unless the field is shown again on the same day. */
async function endPeriod(query: Query, path: string): Promise<void> {
  await query(
    sql`DELETE FROM hidden_periods WHERE path = ${path} AND shown_from IS NULL AND hidden_from >= ${today()}::date`,
  );
  await query(
    sql`UPDATE hidden_periods SET shown_from = ${today()}::date WHERE path = ${path} AND shown_from IS NULL`,
  );
}

/** Returns the words, or null if they are the default. */
const changedWords = (words: string | null, declared: string): string | null =>
  words === null || words.trim() === declared ? null : words.trim();

const sectionPath = ({ record, section }: CustomField) => `${record}.${section}`;

/**
 * Puts the fields of a section in order, and records it. Returns the order of all sections, with the version of the
 * definitions. Throws 422 with the invalid paths.
 */
export function saveFieldOrder(
  actor: SessionUser,
  paths: readonly string[],
): Promise<{ fields: string[]; version: number }> {
  assertAllowed(actor, "form-setup");
  return inTransaction(async (query) => {
    const { fields, order, version } = await changeDefinitions(query);
    const custom = new Set(fields.map(customFieldPath));
    const problems = Object.entries(orderProblems(paths, custom));
    if (problems.length > 0)
      throw invalidFields(
        Object.fromEntries(problems.map(([at, problem]) => [`fieldOrder.fields.${at}`, problem])),
      );
    const present = order.filter((path) => custom.has(path) || placeAt(path));
    const next = withOrder(present, paths);
    await writeOrder(query, actor, order, next);
    return { fields: next, version: version + 1 };
  });
}

async function writeOrder(
  query: Query,
  actor: SessionUser,
  order: readonly string[],
  next: readonly string[],
): Promise<void> {
  await saveOrder(query, next);
  const changes = differences("field", { order }, { order: next });
  await auditSave(query, actor, { entity: "field", changes });
}
