import { type Choices, screenText } from "@/components/record/choices";
import type { EnteredCustom } from "@/components/record/custom";
import { join, type SectionSpec, withCustom } from "@/components/record/section";
import type { FieldFacts } from "@/lib/core/fields/facts";
import { isPhone, MASKED_NUMBER } from "@/lib/core/fields/phone";
import { isRecord } from "@/lib/core/objects";
import { duration, yesNo } from "@/lib/core/text/format";

// The entered values of a record in words, from the facts of its fields.

/** One line; `path` is the field's path in the values of the screen. */
export type ReadingRow = {
  path: string;
  label: string;
  text: string;
  /** True for a phone number; then `text` is the mask. */
  isPhone?: true;
};
type ReadingPart = { legend?: string; rows: ReadingRow[] };
export type Reading = {
  parts: ReadingPart[];
  /** The labels of boxes that are not ticked. */
  unticked: string[];
  /** The labels of fields without a value that funders ask for. */
  missing: string[];
};

const SAFE_TO_CALL = "safeToCall";

/** Returns a field's value in words, with its unit; "" if nothing was entered. */
function readingText(facts: FieldFacts, value: unknown, choices: Choices): string {
  if (facts.kind === "choice" && value === facts.blank) return "";
  const text = screenText(facts, value, choices);
  return facts.kind === "minutes" && typeof value === "number" && text ? duration(value) : text;
}

/** A field with its value, as a part of what is read. */
type Entered = {
  path: string;
  facts: FieldFacts;
  value: unknown;
  /** False if a blank value is no missing answer. */
  isAsked?: boolean;
};

/** Returns the entered fields as rows, the boxes that are not ticked, and the missing answers. */
export function readFields(entered: readonly Entered[], choices: Choices) {
  const hasNumber = entered.some(({ facts, value }) => isPhone(facts) && value);
  const lines = entered.map(({ path, facts, value, isAsked = true }) => ({
    path,
    facts,
    isAsked,
    label: facts.label,
    // Next to a number, No is an answer that a reader must see.
    text:
      readingText(facts, value, choices) || (hasNumber && path.endsWith(SAFE_TO_CALL) ? yesNo(false) : ""),
  }));
  const blank = lines.filter(({ text }) => !text);
  const labels = (of: typeof blank) => of.map(({ label }) => label);
  return {
    rows: lines
      .filter(({ text }) => text)
      .map(
        ({ path, label, text, facts }): ReadingRow =>
          isPhone(facts) ? { path, label, text: MASKED_NUMBER, isPhone: true } : { path, label, text },
      ),
    unticked: labels(blank.filter(({ facts }) => facts.kind === "flag")),
    missing: labels(
      blank.filter(({ facts, isAsked }) => isAsked && facts.kind !== "flag" && facts.usedIn !== undefined),
    ),
  };
}

/**
 * Returns the reading of a section below `path`, without hidden groups and fields. `custom` has the custom fields to include,
 * even if the entry is missing.
 */
export function readSection(
  { groups }: SectionSpec,
  entry: unknown,
  choices: Choices,
  path = "",
  custom: readonly EnteredCustom[] = [],
): Reading {
  const read = withCustom(groups, custom).map((group) => {
    const values =
      isRecord(entry) && (group.shows?.(entry) ?? true) && (group.path ? entry[group.path] : entry);
    const at = join(path, group.path);
    const entered = group.fields.flatMap(({ name, facts, shows, asks, custom }): Entered[] => {
      if (custom) return [custom];
      if (!isRecord(values) || !(shows?.(values, choices) ?? true)) return [];
      return [{ path: join(at, name), facts, value: values[name], isAsked: asks?.(values, choices) ?? true }];
    });
    return { legend: group.legend, ...readFields(entered, choices) };
  });
  return {
    parts: read.flatMap(({ legend, rows }) => (rows.length > 0 ? [{ legend, rows }] : [])),
    unticked: read.flatMap(({ unticked }) => unticked),
    missing: read.flatMap(({ missing }) => missing),
  };
}

/** Returns the reading of custom fields as a separate section. */
export function readCustom(entered: readonly EnteredCustom[], choices: Choices): Reading {
  const { rows, unticked, missing } = readFields(entered, choices);
  return { parts: rows.length > 0 ? [{ rows }] : [], unticked, missing };
}
