import { ClientChoice } from "@/components/forms/client-choice";
import { DraftOffer } from "@/components/forms/draft-offer";
import { FormScreen } from "@/components/forms/form-screen";
import { openFormType } from "@/components/forms/values";
import { PageTitle } from "@/components/shell/page-title";
import { InBrowser } from "@/components/ui/in-browser";
import { readClientFromUrl, recordNumberInField } from "@/lib/clients/clients";
import { contactStore } from "@/lib/contacts/contacts";
import { fullName } from "@/lib/core/access/permissions";
import { backTo } from "@/lib/core/api/back-link";
import { branding } from "@/lib/core/branding/branding";
import { pastDate } from "@/lib/core/fields/validation";
import { PAGES, to } from "@/lib/core/pages";
import { suggestionsFor } from "@/lib/forms/by-client/read";
import { openDrafts } from "@/lib/forms/drafts/drafts";
import { recentServiceCodes } from "@/lib/forms/forms";
import { isLarge } from "@/lib/forms/large";
import { formLists, serviceCodesFor } from "@/lib/lookups/resources/lists";
import { page } from "@/lib/page";

export default page({
  permission: "forms",
  load: async ({ actor, search }) => {
    const drafting = openDrafts(actor, null, search.draft);
    const [{ draft, others }, suggestions, client, contact, recentCodes, lists] = await Promise.all([
      drafting,
      drafting.then(({ draft }) => suggestionsFor(actor, draft ? draft.content.clientId : search.clientId)),
      readClientFromUrl(actor, search.clientId),
      contactStore.fromUrl(actor, search.contactId),
      recentServiceCodes(actor),
      formLists(actor),
    ]);
    await recordNumberInField(actor, client);
    const formTypeId = lists.formTypes.find(({ id }) => String(id) === search.formTypeId)?.id ?? null;
    const open = openFormType(draft, null, formTypeId);
    const serviceCodes = open ? await serviceCodesFor(actor, open) : [];
    const userName = fullName(actor);
    const back = backTo(to("formsList"), search);
    const serviceOn = pastDate().safeParse(search.serviceOn).data ?? null;
    // Another query starts another form. Without a key, Next would keep the values typed before.
    const key = JSON.stringify(search);
    const start = { draft, stored: null, client, contact, formTypeId, serviceOn, serviceCodes, recentCodes };
    const brand = await branding();
    return { key, others, brand, suggestions, userId: actor.userId, userName, back, lists, ...start };
  },
  show: ({ key, others, ...screen }) => (
    <>
      <div className="print-hidden">
        <PageTitle title={PAGES.formsNew.title} />
      </div>
      <DraftOffer drafts={others} />
      <InBrowser key={key} isLarge={isLarge({ draft: screen.draft, client: screen.client })}>
        <FormScreen {...screen} newClient={<ClientChoice formsAtStart={screen.suggestions} />} />
      </InBrowser>
    </>
  ),
});
