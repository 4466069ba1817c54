import { RecordHistory } from "@/components/history/record-history";
import { PageTitle } from "@/components/shell/page-title";
import { LinkButton } from "@/components/ui/controls";
import { idParams } from "@/lib/api/list-query";
import { page } from "@/lib/api/page";
import { can } from "@/lib/auth/permissions";
import { shortDateTimeOfDay } from "@/lib/fields/format";
import { openHistory } from "@/lib/history/data";
import { mergesOf } from "@/lib/merges/data";

export default page({
  permission: ["clients", "forms"],
  params: idParams,
  load: async ({ actor, params: { id } }) => {
    const { events, truncated } = await openHistory(actor, "client", id);
    const { mergedInto } = await mergesOf(actor, id);
    return {
      id,
      clientId: can(actor, "clients") ? (mergedInto ?? id) : null,
      truncated,
      events: events.map(({ at, ...event }) => ({ ...event, moment: shortDateTimeOfDay(at) })),
    };
  },
  show: ({ id, clientId, ...data }) => (
    <>
      <PageTitle
        title="History of Client"
        id={id}
        actions={
          clientId !== null && (
            <LinkButton href={`/clients/${clientId}`} prefetch={false}>
              Back to the client
            </LinkButton>
          )
        }
      />
      <RecordHistory {...data} />
    </>
  ),
});
