import { clientSchema } from "@/lib/clients/schema";
import type { OwnField, OwnKind, OwnRecord } from "@/lib/core/fields/definitions";
import { sectionTitle } from "@/lib/core/fields/own";
import { OWN_SECTIONS } from "@/lib/forms/own";
import { formSchema } from "@/lib/forms/schema";

// The labels of the kinds and places of custom fields.

export const KIND_WORDS: Record<OwnKind, string> = {
  text: "Text",
  longText: "Long text",
  flag: "Checkbox",
  day: "Date",
  number: "Number",
  choice: "One choice",
  choices: "Several choices",
};

const ROOTS = { client: clientSchema, form: formSchema };
const WHOLE: Record<OwnRecord, string> = { client: "Client", form: "Form Details" };

/** Returns the title of the section that a field is in. */
const placeTitle = ({ record, section }: Pick<OwnField, "record" | "section">): string =>
  section === "" ? WHOLE[record] : sectionTitle(ROOTS[record], section);

/** True if the section is a custom one. */
export const isOwnSection = ({ record, section }: Pick<OwnField, "record" | "section">): boolean =>
  !OWN_SECTIONS[record].some((known) => known === section);

/** Returns the built-in sections that can have custom fields. */
export const programPlaces = (record: OwnRecord): { section: string; title: string }[] =>
  OWN_SECTIONS[record].map((section) => ({ section, title: placeTitle({ record, section }) }));
