import type { RecordScreen } from "@/components/record/screens";
import { LinkButton } from "@/components/ui/controls";
import { PrintIcon } from "@/components/ui/icons";
import { PAGES, to } from "@/lib/core/pages";

/** A typed outcome survey begins with a row for each question that is asked. */
export const outcomeScreen: RecordScreen = {
  pageActions: (
    <LinkButton icon={<PrintIcon />} href={to("outcomeCards")}>
      {PAGES.outcomeCards.title}
    </LinkButton>
  ),
  prefilled: ({ outcome_questions: questions = [] }) => ({
    answers: questions
      .filter(({ active = true }) => active)
      .map(({ id }) => ({ outcomeQuestionId: id, yes: null, no: null })),
  }),
};
