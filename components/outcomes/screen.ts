import type { RecordScreen } from "@/components/record/screens";
import { today } from "@/lib/core/text/format";

/** A typed outcome survey begins with a row for each question that is asked. */
export const outcomeScreen: RecordScreen = {
  prefilled: ({ outcome_questions: questions = [] }) => ({
    countedOn: today(),
    answers: questions
      .filter(({ active = true }) => active)
      .map(({ id }) => ({ outcomeQuestionId: id, yes: null, no: null })),
  }),
};
