import * as z from "zod/mini";
import { CUSTOM_KINDS, CUSTOM_RECORDS } from "@/lib/core/fields/definitions";
import {
  anyDate,
  emptyAs,
  flag,
  id,
  optionalIdList,
  orBlank,
  requiredText,
  text,
} from "@/lib/core/fields/validation";
import { REQUIRED } from "@/lib/core/fields/words";
import { folded } from "@/lib/core/text/folded";

// Every page contains all definitions, so their total size is limited.
/** The limit for custom fields in use, of clients and forms together. */
export const FIELDS_IN_USE_MAX = 200;
/** The limit for all custom fields, including retired ones. */
export const FIELDS_MAX = 400;
/** The limit for the choices of one field. */
const CHOICES_MAX = 200;
/** The limit for the choices of all custom fields, including retired ones. */
export const ALL_CHOICES_MAX = 2_000;
const LABEL_MAX = 100;

const atMost = (words: string) => words.length <= LABEL_MAX;
const tooLong = { error: `must be at most ${LABEL_MAX} characters` };

const label = () => requiredText().check(z.refine(atMost, tooLong));
/** A label that may be blank. The limit keeps headings short enough for imports, also with a section title. */
export const optionalLabel = () => text().check(z.refine(atMost, tooLong));
const optionalDay = () => orBlank(z.union([emptyAs(null), anyDate()]), null);

const choice = z.object({ id: z.optional(id()), label: label(), retiredFrom: optionalDay() });

/** A custom field as entered. */
const fieldInput = z
  .object({
    record: z.enum(CUSTOM_RECORDS),
    section: z.pipe(
      optionalLabel(),
      z.transform((section) => section.trim()),
    ),
    label: label(),
    hint: text(),
    kind: z.enum(CUSTOM_KINDS),
    requiredFrom: optionalDay(),
    sensitive: flag(),
    retiredFrom: optionalDay(),
    /** None: every form type that has the section. */
    formTypeIds: optionalIdList(),
    /** In their order. A choice without an id is new. */
    choices: z._default(
      z.array(choice).check(z.maxLength(CHOICES_MAX, { error: `are limited to ${CHOICES_MAX} per field` })),
      [],
    ),
    lockVersion: z.optional(z.int().check(z.minimum(0))),
  })
  .check(
    z.superRefine(({ kind, choices, requiredFrom }, context) => {
      const problem = (path: (string | number)[], message: string) =>
        context.addIssue({ code: "custom", path, message });
      const hasChoices = kind === "choice" || kind === "choices";
      if (hasChoices && choices.length === 0) problem(["choices"], REQUIRED);
      if (!hasChoices && choices.length > 0)
        problem(["choices"], "are only for the kinds One choice and Several choices");
      if (kind === "flag" && requiredFrom)
        problem(["requiredFrom"], "cannot be set for a checkbox, which always has a value");
      // A body has tens of thousands of choices at most, too many to compare each with each.
      if (choices.length > CHOICES_MAX) return;
      const labels = choices.map((one) => folded(one.label));
      for (const [at, one] of labels.entries())
        if (labels.indexOf(one) < at)
          problem(["choices", at, "label"], "Each choice needs a different label");
    }),
  );
export type FieldInput = z.output<typeof fieldInput>;

/** The body of `POST /api/fields` and `PUT /api/fields/{id}`. */
export const fieldBody = z.object({ field: fieldInput });

const customChoice = z.object({ id: id(), label: z.string(), retiredFrom: z.nullable(z.iso.date()) });

/** A custom field as returned. */
export const customField = z.object({
  id: id(),
  key: z.string(),
  record: z.enum(CUSTOM_RECORDS),
  section: z.string(),
  label: z.string(),
  hint: z.string(),
  kind: z.enum(CUSTOM_KINDS),
  requiredFrom: z.nullable(z.iso.date()),
  sensitive: z.boolean(),
  retiredFrom: z.nullable(z.iso.date()),
  formTypeIds: z.readonly(z.array(id())),
  choices: z.readonly(z.array(customChoice)),
  lockVersion: z.int(),
});

const fieldSetting = z.object({
  path: z.string(),
  hidden: z.boolean(),
  label: z.nullable(z.string()),
  hint: z.nullable(z.string()),
  requiredFrom: z.nullable(z.iso.date()),
});

/** The current definitions. */
export const fieldsResponse = z.object({
  definitions: z.object({
    version: z.int(),
    fields: z.readonly(z.array(customField)),
    removed: z.readonly(
      z.array(z.object({ key: z.string(), record: z.enum(CUSTOM_RECORDS), label: z.string() })),
    ),
    settings: z.readonly(z.array(fieldSetting)),
    order: z.readonly(z.array(z.string())),
  }),
});
