import { SurveyCards } from "@/components/outcomes/cards";
import { PageTitle } from "@/components/shell/page-title";
import { LinkButton } from "@/components/ui/controls";
import { can } from "@/lib/core/access/permissions";
import { branding } from "@/lib/core/branding/branding";
import { PAGES, to } from "@/lib/core/pages";
import { cardQuestions } from "@/lib/outcomes/card-questions";
import { page } from "@/lib/page";

/** Paper cards with the outcome questions, four to a page. */
export default page({
  permission: "outcome-surveys",
  load: async ({ actor }) => ({
    questions: await cardQuestions(actor),
    organization: (await branding()).organization,
    canEdit: can(actor, "outcome-questions"),
  }),
  show: (cards) => (
    <>
      <div className="print-hidden">
        <PageTitle
          title={PAGES.outcomeCards.title}
          actions={<LinkButton href={to("recordsList", { records: "outcome_surveys" })}>Back</LinkButton>}
        />
      </div>
      <SurveyCards {...cards} />
    </>
  ),
});
