import "server-only";
import { differences } from "@/lib/audit/changes";
import { audit } from "@/lib/audit/record";
import { clientColumns } from "@/lib/clients/columns";
import type { SessionUser } from "@/lib/core/access/permissions";
import { assertAllowed } from "@/lib/core/access/scope";
import { invalidFields, notFound } from "@/lib/core/api/errors";
import { inTransaction } from "@/lib/core/database/client";
import { changeDefinitions, readDefinitions, saveOrder } from "@/lib/core/database/definitions";
import { sql } from "@/lib/core/database/sql";
import type { FieldSetting, OwnField } from "@/lib/core/fields/definitions";
import { folded } from "@/lib/core/fields/folded";
import { today } from "@/lib/core/fields/format";
import { ownFieldPath } from "@/lib/core/fields/in-order";
import { formColumns } from "@/lib/forms/columns";
import {
  orderProblems,
  placeAt,
  settingAt,
  settingItem,
  settingProblems,
  withSetting,
} from "@/lib/forms/fields/controls";
import type { FieldSettingInput, FieldSettingItem } from "@/lib/forms/fields/settings-schema";

type Labeled = Pick<NonNullable<ReturnType<typeof placeAt>>, "path" | "facts">;

/** True if the field would have the heading of another column in files: an import could not tell them apart. */
function isHeading({ path, facts }: Labeled, label: string): boolean {
  const [record, ...names] = path.split(".");
  const columns = record === "client" ? clientColumns() : formColumns();
  const own = columns.find(
    (column) => column.declaredLabel !== undefined && column.path.join(".") === names.join("."),
  );
  const title = own?.declaredLabel?.slice(0, -facts.label.length) ?? "";
  const heading = folded(title + label);
  return columns.some(
    (other) =>
      other !== own && [other.label, other.declaredLabel ?? ""].some((taken) => folded(taken) === heading),
  );
}

const WORDS: Readonly<Record<string, string>> = {
  hidden: "This field",
  label: "Label",
  hint: "Hint",
  requiredFrom: "Required From",
};

/**
 * Changes the organization's settings for a field of the program, and records it. Throws 404, and 422 with the parts that
 * are not possible.
 */
export function saveFieldSetting(
  actor: SessionUser,
  path: string,
  input: FieldSettingInput,
  resetsPlace = false,
): Promise<FieldSettingItem> {
  assertAllowed(actor, "form-setup");
  return inTransaction(async (query) => {
    await changeDefinitions(query);
    const { settings, order, fields } = await readDefinitions(query);
    const place = placeAt(path);
    if (!place) throw notFound();
    const stored = settingAt(settings, path);
    const { label, hint, ...others } = input;
    const { facts } = place;
    const setting: FieldSetting = {
      ...stored,
      ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)),
      ...(label !== undefined && { label: ownWords(label, facts.label) || null }),
      ...(hint !== undefined && { hint: ownWords(hint, facts.hint ?? "") }),
    };
    const problems = settingProblems(place, settings, setting);
    const newLabel = setting.label === stored.label ? null : setting.label;
    if (newLabel !== null && !problems.label && isHeading(place, newLabel))
      problems.label = "is already the heading of another column in files";
    if (Object.keys(problems).length > 0)
      throw invalidFields(
        Object.fromEntries(
          Object.entries(problems).map(([part, problem]) => [
            `fieldSetting.${part}`,
            `${part === "hidden" ? (settingItem(place, settings).label ?? facts.label) : WORDS[part]} ${problem}`,
          ]),
        ),
      );
    const next = withSetting(settings, setting);
    const [former] = await query<{ hiddenOn: string | null }>(
      sql`DELETE FROM field_settings WHERE path = ${path} RETURNING hidden_on::text AS "hiddenOn"`,
    );
    if (next.includes(setting))
      await query(
        sql`INSERT INTO field_settings (path, hidden, hidden_on, label, hint, required_from)
         VALUES (${path}, ${setting.hidden}, ${setting.hidden ? (former?.hiddenOn ?? today()) : null}::date, ${setting.label}, ${setting.hint}, ${setting.requiredFrom}::date)`,
      );
    if (resetsPlace) {
      const inside = new Set(fields.flatMap((own) => (sectionPath(own) === path ? [ownFieldPath(own)] : [])));
      const isReset = (one: string) => one === path || one.startsWith(`${path}.`) || inside.has(one);
      await saveOrder(
        query,
        order.filter((one) => !isReset(one)),
      );
    }
    // The path names the field in the Audit Log.
    const changes = differences(`field.${path}`, { ...stored }, { ...setting });
    await audit(query, actor, { action: "updated", entity: "field", changes });
    return settingItem(place, next);
  });
}

/** Returns the words, or null if they are the program's own. */
const ownWords = (words: string | null, declared: string): string | null =>
  words === null || words.trim() === declared ? null : words.trim();

const sectionPath = ({ record, section }: OwnField) => `${record}.${section}`;

/**
 * Puts the fields of a section in order, and records it. Returns the order of all sections. Throws 422 with the paths
 * that are not possible.
 */
export function saveFieldOrder(actor: SessionUser, paths: readonly string[]): Promise<{ fields: string[] }> {
  assertAllowed(actor, "form-setup");
  return inTransaction(async (query) => {
    await changeDefinitions(query);
    const { fields, order } = await readDefinitions(query);
    const own = new Set(fields.map(ownFieldPath));
    const problems = Object.entries(orderProblems(paths, own));
    if (problems.length > 0)
      throw invalidFields(
        Object.fromEntries(problems.map(([at, problem]) => [`fieldOrder.fields.${at}`, problem])),
      );
    const others = order.filter((path) => !paths.includes(path) && (own.has(path) || placeAt(path)));
    const next = [...others, ...paths];
    await saveOrder(query, next);
    const changes = differences("field", { order }, { order: next });
    await audit(query, actor, { action: "updated", entity: "field", changes });
    return { fields: next };
  });
}

/** Restores a field of the program, or a section with the order of its fields. Throws as `saveFieldSetting` does. */
export async function resetFieldSetting(actor: SessionUser, path: string): Promise<void> {
  await saveFieldSetting(actor, path, { hidden: false, label: null, hint: null, requiredFrom: null }, true);
}
