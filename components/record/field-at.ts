import type { z } from "zod";
import type { Describe } from "@/components/record/differences";
import { type FieldFacts, schemasAlong } from "@/lib/fields/facts";

/** The facts of the field at a path in a screen's values, and the title of its section. */
export function fieldAt(
  root: z.core.$ZodType,
  name: string,
): { facts: FieldFacts | undefined; title: string } {
  const known = [...schemasAlong(root, name.split("."))].map(({ facts }) => facts);
  const entry = known.flatMap((facts) => (facts?.kind === "entry" ? [facts] : [])).at(-1);
  // The screen shows the referral source among the form's own fields.
  return { facts: known.at(-1), title: entry?.table === "intake_forms" ? "" : (entry?.label ?? "") };
}

/** The facts of a field that must exist. */
export function factsAt(root: z.core.$ZodType, name: string): FieldFacts {
  const { facts } = fieldAt(root, name);
  if (!facts) throw new Error(`${name} is no field of the screen`);
  return facts;
}

/** Names fields in a conflict: by section and label. */
export const describeIn =
  (root: z.core.$ZodType): Describe =>
  (name) => {
    const { facts, title } = fieldAt(root, name);
    return { facts, label: [title, facts?.label].filter(Boolean).join(": ") };
  };
