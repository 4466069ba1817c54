import type { RecordDifferences } from "@/lib/declared-records/calls";

/** The parts of the calls of outcome surveys that differ from their declaration. */
export const surveyCalls: RecordDifferences = {
  about: {
    list: "A survey is a count of paper cards. `search` searches the kinds of service.",
    create:
      "`countedOn` defaults to today. Of the `completed` cards, `yes` and `no` answered a question; the others left it blank. New answers are to active questions, each question once.",
  },
};
