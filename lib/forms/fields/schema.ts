import { z } from "zod";
import { OWN_KINDS, OWN_RECORDS } from "@/lib/core/fields/definitions";
import { anyDate, flag, id, optionalIdList, requiredText, text } from "@/lib/core/fields/validation";
import { REQUIRED } from "@/lib/core/fields/words";

/** The most own fields of a record, choices of a field, and characters of a label. */
export const [FIELDS_MAX, CHOICES_MAX, LABEL_MAX] = [200, 200, 100];

const atMost = (words: string) => words.length <= LABEL_MAX;
const tooLong = { error: `must be at most ${LABEL_MAX} characters` };

const label = () => requiredText().refine(atMost, tooLong);
/** A label that may be blank. Longer ones, or titles of sections, would make headings that an import refuses. */
export const optionalLabel = () => text().refine(atMost, tooLong);
const optionalDay = () =>
  z
    .union([z.literal("").transform(() => null), anyDate()])
    .nullish()
    .transform((day) => day ?? null);

const choice = z.object({ id: id().optional(), label: label(), retiredFrom: optionalDay() });

/** An own field as it is entered. */
export const fieldInput = z
  .object({
    record: z.enum(OWN_RECORDS),
    section: optionalLabel().transform((section) => section.trim()),
    label: label(),
    hint: text(),
    kind: z.enum(OWN_KINDS),
    requiredFrom: optionalDay(),
    sensitive: flag(),
    retiredFrom: optionalDay(),
    /** None: every form type that has the section. */
    formTypeIds: optionalIdList(),
    /** In their order. A choice without an id is new. */
    choices: z.array(choice).max(CHOICES_MAX).default([]),
    lockVersion: z.int().min(0).optional(),
  })
  .superRefine(({ kind, choices, requiredFrom }, context) => {
    const problem = (path: (string | number)[], message: string) =>
      context.addIssue({ code: "custom", path, message });
    const hasChoices = kind === "choice" || kind === "choices";
    if (hasChoices && choices.length === 0) problem(["choices"], REQUIRED);
    if (!hasChoices && choices.length > 0) problem(["choices"], "are only for one or several choices");
    if (kind === "flag" && requiredFrom)
      problem(["requiredFrom"], "is not for a checkbox, which always has a value");
    const labels = choices.map((one) => one.label.toLowerCase());
    for (const [at, one] of labels.entries())
      if (labels.indexOf(one) < at) problem(["choices", at, "label"], "Each choice needs another label");
  });
export type FieldInput = z.output<typeof fieldInput>;

/** The body of `POST /api/fields` and `PUT /api/fields/{id}`. */
export const fieldBody = z.object({ field: fieldInput });

const ownChoice = z.object({ id: id(), label: z.string(), retiredFrom: z.iso.date().nullable() });

/** An own field as returned. */
export const ownField = z.object({
  id: id(),
  key: z.string(),
  record: z.enum(OWN_RECORDS),
  section: z.string(),
  label: z.string(),
  hint: z.string(),
  kind: z.enum(OWN_KINDS),
  requiredFrom: z.iso.date().nullable(),
  sensitive: z.boolean(),
  retiredFrom: z.iso.date().nullable(),
  formTypeIds: z.array(id()).readonly(),
  choices: z.array(ownChoice).readonly(),
  lockVersion: z.int(),
});

const fieldSetting = z.object({
  path: z.string(),
  hidden: z.boolean(),
  label: z.string().nullable(),
  hint: z.string().nullable(),
  requiredFrom: z.iso.date().nullable(),
});

/** The current definitions. */
export const fieldsResponse = z.object({
  definitions: z.object({
    version: z.int(),
    fields: z.array(ownField).readonly(),
    removed: z
      .array(z.object({ key: z.string(), record: z.enum(OWN_RECORDS), label: z.string() }))
      .readonly(),
    settings: z.array(fieldSetting).readonly(),
    order: z.array(z.string()).readonly(),
  }),
});
