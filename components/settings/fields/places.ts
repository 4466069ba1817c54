import { clientSchema } from "@/lib/clients/schema";
import { sectionTitle } from "@/lib/core/fields/custom";
import type { CustomField, CustomKind, CustomRecord } from "@/lib/core/fields/definitions";
import { CUSTOM_SECTIONS } from "@/lib/forms/custom";
import { formSchema } from "@/lib/forms/schema";

// The labels of the kinds and places of custom fields.

export const KIND_WORDS: Record<CustomKind, string> = {
  text: "Text",
  longText: "Long text",
  flag: "Checkbox",
  day: "Date",
  number: "Number",
  choice: "One choice",
  choices: "Several choices",
};

const ROOTS = { client: clientSchema, form: formSchema };
const WHOLE: Record<CustomRecord, string> = { client: "Client", form: "Form Details" };

/** Returns the title of the section that a field is in. */
const placeTitle = ({ record, section }: Pick<CustomField, "record" | "section">): string =>
  section === "" ? WHOLE[record] : sectionTitle(ROOTS[record], section);

/** True if the section is a custom one. */
export const isAddedSection = ({ record, section }: Pick<CustomField, "record" | "section">): boolean =>
  !CUSTOM_SECTIONS[record].some((known) => known === section);

/** Returns the built-in sections that can have custom fields. */
export const programPlaces = (record: CustomRecord): { section: string; title: string }[] =>
  CUSTOM_SECTIONS[record].map((section) => ({ section, title: placeTitle({ record, section }) }));
