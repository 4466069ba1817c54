import { allowedActions, ClientActions, ClientRecordActions } from "@/components/clients/client-actions";
import { MergedRecords } from "@/components/clients/merges/merged-records";
import { HiddenFrom } from "@/components/clients/restrictions/hidden-from";
import { DraftOffer } from "@/components/forms/draft-offer";
import { OpenReturns } from "@/components/forms/review/open-returns";
import { ClientDetails } from "@/components/forms/thread/client-details";
import { ClientThread } from "@/components/forms/thread/client-thread";
import { SafetyStrip } from "@/components/forms/thread/safety-strip";
import { LegalHold } from "@/components/retention/legal-hold";
import { PageTitle } from "@/components/shell/page-title";
import { ClientStays } from "@/components/shelter/client-stays";
import { can } from "@/lib/core/access/permissions";
import { fromThread } from "@/lib/core/api/back-link";
import { idParams } from "@/lib/core/api/list-query";
import { fromQuery } from "@/lib/core/api/query";
import { PAGES } from "@/lib/core/pages";
import { threadQuery } from "@/lib/forms/by-client/schema";
import { clientScreen } from "@/lib/forms/by-client/screen";
import { page } from "@/lib/page";
import { staysOfClient } from "@/lib/shelter/by-client";

/** A client as a thread: what a colleague must know first, then the forms, newest first. */
export default page({
  permission: "clients",
  params: idParams,
  query: () => threadQuery,
  load: async ({ actor, params: { id }, query, search }) => ({
    ...(await clientScreen(actor, id, query)),
    stays: await staysOfClient(actor, id),
    userId: actor.userId,
    seesAllForms: can(actor, "forms") && can(actor, "all-forms"),
    from: fromQuery(search),
    toRecords: fromThread(id, search),
    may: allowedActions(actor),
  }),
  show: ({
    id,
    client,
    thread,
    returns,
    warnings,
    drafts,
    hold,
    merges,
    hidden,
    stays,
    may,
    from,
    toRecords,
    ...page
  }) => (
    <>
      <PageTitle
        title={PAGES.clientsShow.title}
        id={id}
        name={client.name}
        actions={
          // After an edit that answers a return, the user replies here.
          <ClientActions id={id} {...may} from={from} editFrom={returns.waiting > 0 ? toRecords : from} />
        }
      />
      <div className="stack">
        <SafetyStrip
          client={client}
          latest={thread?.latest ?? null}
          openStay={stays?.find(({ leftOn }) => leftOn === null)}
          warnings={warnings}
          {...page}
        />
        <OpenReturns
          returns={returns}
          clientId={id}
          userId={page.userId}
          closed={page.closed}
          from={toRecords}
        />
        <DraftOffer drafts={drafts} />
        {hold && <LegalHold clientId={id} hold={hold} />}
        <ClientDetails client={client} lists={page.lists} />
        {thread && <ClientThread thread={thread} from={toRecords} {...page} />}
        {stays && <ClientStays stays={stays} />}
        <MergedRecords merges={merges} mayUndo={may.mayMerge} />
        <ClientRecordActions id={id} {...may} />
        {hold === null && <LegalHold clientId={id} hold={hold} />}
        {hidden && <HiddenFrom clientId={id} {...hidden} />}
      </div>
    </>
  ),
});
