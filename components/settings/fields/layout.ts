import { allPlaces } from "@/components/forms/custom";
import { otherServiceItems, SERVICES_TITLE } from "@/components/forms/fields";
import { customPath, detailItems, FIXED_DETAILS, SECTIONS } from "@/components/forms/sections";
import { HOTEL_SHELTER, ROWS, VIDEOCONFERENCING } from "@/components/forms/sections/services";
import { customSections } from "@/components/record/custom";
import type { SectionItem } from "@/components/record/section";
import type { CustomField } from "@/lib/core/fields/definitions";

// All fields in the layout of the form screen, for the settings screen.

/** Declared fields that can trade places. `section` is the entry they are hidden with; "" if there is none. */
type FieldBlock = { section: string; items: readonly SectionItem[] };

/** A section of the form screen, with all its fields, including hidden and retired ones. */
export type FieldSection = {
  id: string;
  title: string;
  /** The entry that is hidden with all its fields; "" if there is none. */
  section: string;
  /** The place of a custom field that is added to the section. */
  place: Pick<CustomField, "record" | "section">;
  /** Custom fields are in `main`. */
  blocks: readonly FieldBlock[];
  main: FieldBlock;
};

/** Returns the place of custom fields at a path such as `form.intakeForm.survivorEntry`; Form Details for "". */
function customPlaceAt(path: string): FieldSection["place"] {
  const [record, ...names] = path.split(".");
  return { record: record === "client" ? "client" : "form", section: names.join(".") };
}

/** Returns the sections of the form screen: the built-in ones, then the custom ones. */
export function fieldSections(): FieldSection[] {
  const program = SECTIONS.map((screen): FieldSection => {
    const { id, title, spec } = screen;
    const of = { id, title, place: customPlaceAt(customPath(screen)) };
    if (spec) {
      const main = { section: spec.path, items: spec.items };
      return { ...of, section: spec.path, blocks: [main], main };
    }
    const isServices = title === SERVICES_TITLE;
    const fixed = isServices
      ? [`${ROWS}.minutes`, `${ROWS}.referrals`]
      : FIXED_DETAILS.map((name) => (name === "clientId" ? "form.clientId" : name));
    const main = { section: "", items: isServices ? otherServiceItems() : detailItems() };
    const details = [HOTEL_SHELTER, VIDEOCONFERENCING].map(({ path, items }) => ({ section: path, items }));
    const blocks = [
      { section: "", items: fixed.map((path) => ({ path })) },
      main,
      ...(isServices ? details : []),
    ];
    return { ...of, section: "", blocks, main };
  });
  const added = customSections(allPlaces()).map(({ title, places }, at): FieldSection => {
    const main = { section: "", items: places.map(({ name }) => ({ path: name })) };
    const record = places[0]?.facts.custom.record ?? "form";
    return {
      id: `custom-${at + 1}`,
      title,
      section: "",
      place: { record, section: title },
      blocks: [main],
      main,
    };
  });
  return [...program, ...added];
}

/** Returns the paths of the fields that can trade places with the one at `path`, and its own. */
export function siblingPaths(path: string): string[] {
  const siblings = (items: readonly SectionItem[]): readonly SectionItem[] =>
    items.some((item) => item.path === path) ? items : items.flatMap(({ inside }) => siblings(inside ?? []));
  return fieldSections().flatMap(({ blocks }) =>
    blocks.flatMap(({ items }) => siblings(items).map((item) => item.path)),
  );
}

/** Returns the section of a custom field at this place; undefined for a new section. */
export const sectionAt = ({ record, section }: FieldSection["place"]): FieldSection | undefined =>
  fieldSections().find(({ id, place }) =>
    section === ""
      ? id === "details"
      : place.section === section && (place.record === record || id.startsWith("custom-")),
  );
