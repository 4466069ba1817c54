import { otherServiceInOrder, SERVICES_TITLE } from "@/components/forms/fields";
import { DETAILS, movableDetails, SECTIONS } from "@/components/forms/sections";
import { HOTEL_SHELTER, VIDEOCONFERENCING } from "@/components/forms/sections/services";
import { join, type SectionSpec } from "@/components/record/section";

// The fields of the program as the form screen has them, for the screen that changes them.

const ROWS = "form.serviceEntry.serviceProvidedEntries";

/** Fields that move among themselves, by their paths and in order. `section` is the entry they are hidden with. */
export type FieldBlock = { section: string; fields: readonly string[] };
/** A section of the form screen. `section` is the entry that is hidden with all its fields; "" if there is none. */
export type FieldSection = { id: string; title: string; section: string; blocks: readonly FieldBlock[] };

/** Returns the path of the entry that contains a field. */
const entryOf = (path: string) => path.slice(0, path.lastIndexOf("."));

function blocksOf({ blocks }: SectionSpec, path: string): FieldBlock[] {
  return blocks.map((block) => {
    const fields = block.map((name) => join(path, name));
    return { section: entryOf(fields[0] ?? ""), fields };
  });
}

/** Returns the sections of the form screen with their fields in the organization's order, hidden ones included. */
export function programSections(): FieldSection[] {
  return SECTIONS.map(({ id, title, spec, paths: [path = ""] }): FieldSection => {
    if (spec) return { id, title, section: path, blocks: blocksOf(spec, path) };
    if (title === SERVICES_TITLE)
      return {
        id,
        title,
        section: "",
        blocks: [
          { section: "", fields: [`${ROWS}.minutes`, `${ROWS}.referrals`] },
          { section: "", fields: otherServiceInOrder() },
          ...blocksOf(HOTEL_SHELTER, `${ROWS}.hotelShelterEntry`),
          ...blocksOf(VIDEOCONFERENCING, `${ROWS}.videoconferencingEntry`),
        ],
      };
    const movable = movableDetails();
    const fixed = DETAILS.filter((name) => !movable.includes(name)).map((name) =>
      name === "clientId" ? "form.clientId" : name,
    );
    return {
      id,
      title,
      section: "",
      blocks: [
        { section: "", fields: fixed },
        { section: "", fields: movable },
      ],
    };
  });
}
