import { ChooseOther } from "@/components/clients/merges/choose-other";
import { ChooseValues } from "@/components/clients/merges/choose-values";
import { PageTitle } from "@/components/shell/page-title";
import { readClientFromUrl } from "@/lib/clients/clients";
import { withoutNumbers } from "@/lib/clients/masked";
import { countForms } from "@/lib/clients/merges/merges";
import { similarClients } from "@/lib/clients/search";
import { mayMerge } from "@/lib/core/access/permissions";
import { idParams } from "@/lib/core/api/list-query";
import { forbidden } from "@/lib/core/errors";
import { PAGES } from "@/lib/core/pages";
import { clientOfPage } from "@/lib/forms/by-client/screen";
import { formLists } from "@/lib/lookups/resources/lists";
import { page } from "@/lib/page";

/** Merges two records of one client: the user chooses the other record, then the values to keep. */
export default page({
  permission: "all-forms",
  params: idParams,
  load: async ({ actor, params: { id }, search }) => {
    const client = await clientOfPage(actor, id, "/merge");
    if (!mayMerge(actor)) throw forbidden();
    const other = search.with === String(id) ? null : await readClientFromUrl(actor, search.with);
    const { id: clientId, name } = client;
    const title = { id: clientId, name };
    if (!other) return { title, similar: await similarClients(actor, name) };
    const [lists, forms] = await Promise.all([formLists(actor), countForms(actor, [id, other.id])]);
    return { title, pair: { ...withoutNumbers(client, other), lists, forms } };
  },
  show: ({ title, similar = [], pair }) => (
    <>
      <PageTitle title={PAGES.clientsMerge.title} {...title} />
      {pair ? (
        <ChooseValues
          key={`${pair.client.lockVersion} ${pair.other.id} ${pair.other.lockVersion}`}
          {...pair}
        />
      ) : (
        <ChooseOther client={title} similar={similar} />
      )}
    </>
  ),
});
