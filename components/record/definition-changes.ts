import type { Definitions } from "@/lib/core/fields/definitions";
import { declaredFacts, fieldAtPath } from "@/lib/core/fields/facts";
import { date } from "@/lib/core/text/format";

/** Returns the differences between two versions of the definitions, one sentence each. */
export function definitionChanges(before: Definitions, now: Definitions): string[] {
  const line = (words: string, labels: readonly string[]) =>
    labels.length > 0 ? [`${words}: ${labels.join(", ")}.`] : [];
  const former = new Map(before.fields.map((field) => [field.key, field]));
  const current = new Map(now.fields.map((field) => [field.key, field]));
  const labels = (fields: Definitions["fields"]) => fields.map(({ label }) => label);
  const changed = now.fields.filter((field) => {
    const earlier = former.get(field.key);
    return earlier !== undefined && JSON.stringify(earlier) !== JSON.stringify(field);
  });
  return [
    ...line("Added", labels(now.fields.filter(({ key }) => !former.has(key)))),
    ...line("Removed", labels(before.fields.filter(({ key }) => !current.has(key)))),
    ...line("Changed", labels(changed)),
    ...settingChanges(before.settings, now.settings),
    ...(JSON.stringify(before.order) === JSON.stringify(now.order)
      ? []
      : ["The order of the fields has changed."]),
  ];
}

/** Returns the differences between two versions of the settings for built-in fields, one sentence for each field. */
function settingChanges(before: Definitions["settings"], now: Definitions["settings"]): string[] {
  const paths = [...new Set([...before, ...now].map(({ path }) => path))];
  return paths.flatMap((path) => {
    const was = before.find((setting) => setting.path === path);
    const is = now.find((setting) => setting.path === path);
    if (JSON.stringify(was) === JSON.stringify(is)) return [];
    const field = fieldAtPath(path);
    const declared = (field && declaredFacts(field)?.label) ?? path;
    const former = was?.label ?? declared;
    const label = is?.label ?? declared;
    const isHidden = is?.hidden ?? false;
    if (isHidden !== (was?.hidden ?? false)) return [`${label} is now ${isHidden ? "hidden" : "shown"}.`];
    if (former !== label) return [`${former} is now called ${label}.`];
    if (is?.requiredFrom && is.requiredFrom !== was?.requiredFrom)
      return [`${label} is required for services on or after ${date(is.requiredFrom)}.`];
    return [`${label} was changed.`];
  });
}
