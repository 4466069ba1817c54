import { CopiedEvent, EventSeries } from "@/components/events/series";
import type { RecordScreen } from "@/components/record/screens";
import { peopleWords } from "@/lib/core/text/format";

/** The screens of events also continue series, and end them with the number of different people. */
export const eventScreen: RecordScreen = {
  words: ({ title, attended }) => `${title}, ${peopleWords(Number(attended))}`,
  prefilled: (_choices, userId) => ({ staff: [{ userId, minutes: null }] }),
  Copied: CopiedEvent,
  Below: EventSeries,
};
