import type * as z from "zod/mini";
import type { Describe } from "@/components/record/differences";
import { sectionAround } from "@/lib/audit/titles";
import { type FieldFacts, schemasAlong } from "@/lib/core/fields/facts";

/** Returns the facts of the field at a path in a screen's values, and the titles of its sections. */
export function fieldAt(
  root: z.core.$ZodType,
  name: string,
): { facts: FieldFacts | undefined; section: string } {
  const segments = [...schemasAlong(root, name.split("."))];
  const inside = segments.filter(({ facts }) => facts && facts.kind !== "record");
  return { facts: segments.at(-1)?.facts, section: sectionAround(inside) };
}

/** Returns the facts of a field. Throws if there is no such field. */
export function factsAt(root: z.core.$ZodType, name: string): FieldFacts {
  const { facts } = fieldAt(root, name);
  if (!facts) throw new Error(`${name} is not a field of the screen`);
  return facts;
}

/** Returns a function that names fields in a conflict: by section and label. */
export const describeIn =
  (root: z.core.$ZodType): Describe =>
  (name) => {
    const { facts, section } = fieldAt(root, name);
    return { facts, section, label: facts?.label ?? "" };
  };
