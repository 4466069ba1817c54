import { RecordHistory } from "@/components/history/record-history";
import { PageTitle } from "@/components/shell/page-title";
import { LinkButton } from "@/components/ui/controls";
import { idParams } from "@/lib/api/list-query";
import { page } from "@/lib/api/page";
import { shortDateTimeOfDay } from "@/lib/fields/format";
import { openHistory } from "@/lib/history/data";

export default page({
  permission: "forms",
  params: idParams,
  load: async ({ actor, params: { id } }) => {
    const { events, truncated } = await openHistory(actor, "form", id);
    return {
      id,
      truncated,
      events: events.map(({ at, ...event }) => ({ ...event, moment: shortDateTimeOfDay(at) })),
    };
  },
  show: ({ id, ...data }) => (
    <>
      <PageTitle
        title="History of Form"
        id={id}
        actions={
          <LinkButton href={`/forms/${id}/edit`} prefetch={false}>
            Back to the form
          </LinkButton>
        }
      />
      <RecordHistory {...data} />
    </>
  ),
});
