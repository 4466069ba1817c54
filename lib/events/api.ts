import type { RecordDifferences } from "@/lib/declared-records/calls";

/** The parts of the calls of events that differ from their declaration. */
export const eventCalls: RecordDifferences = {
  about: {
    list: "`userId` selects the events in which a user is staff, and `seriesId` those of a series. `search` searches titles and the names of event kinds.",
    create:
      "`heldOn` defaults to today. `seriesId` is the first event of a series; if that event is in none, it becomes the first of one. `seriesPeople` is the number of different people in all sessions, on one event of a series: a second one is 409 `conflict_in_use`.",
    update:
      "Omitted fields stay as they are. An event that names itself as `seriesId` begins a series, and null takes it out of one. A first event that others name cannot leave its series (409 `conflict_in_use`).",
  },
  errors: {
    create: ["conflict_in_use"],
    update: ["conflict_in_use"],
    remove: ["conflict_in_use"],
  },
};
