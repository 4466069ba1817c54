import type { ReadingBlock } from "@/components/forms/reading";
import type { Choices } from "@/components/record/choices";
import { counted, date, peopleWords, today } from "@/lib/core/text/format";
import type { Stay } from "@/lib/shelter/api-schema";
import { nightsSoFar, peopleOf } from "@/lib/shelter/nights";
import { STAY_LABELS } from "@/lib/shelter/words";

/** Returns a client's stays as a part of a print, one line per stay. */
export function readStays(stays: readonly Stay[], choices: Choices): ReadingBlock {
  const exitWords = ({ exitDestinationId }: Stay) =>
    choices.exit_destinations?.find(({ id }) => id === exitDestinationId)?.name;
  const rows = stays.map((stay) => ({
    path: `stay ${stay.id}`,
    label: `${date(stay.enteredOn)} – ${stay.leftOn ? date(stay.leftOn) : "still there"}`,
    text: [
      stay.shelter.name,
      counted(nightsSoFar(stay, today()), "night"),
      peopleWords(peopleOf(stay)),
      exitWords(stay),
      stay.medicalAdvocacy && STAY_LABELS.medicalAdvocacy,
    ]
      .filter(Boolean)
      .join(", "),
  }));
  return { title: "Stays", parts: [{ rows }], unticked: [] };
}
