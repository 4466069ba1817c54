import { ChooseOther } from "@/components/merges/choose-other";
import { ChooseValues } from "@/components/merges/choose-values";
import { PageTitle } from "@/components/shell/page-title";
import { idParams } from "@/lib/api/list-query";
import { page } from "@/lib/api/page";
import { clientOfAddress } from "@/lib/clients/data";
import { similarClients } from "@/lib/clients/search";
import { clientOfPage } from "@/lib/forms/by-client/screen";
import { formLists } from "@/lib/lookups/resources/data";
import { countForms } from "@/lib/merges/data";

/** Merges two records of one client: first the other one is chosen, then the values that remain. */
export default page({
  permission: "all-forms",
  params: idParams,
  load: async ({ actor, params: { id }, search }) => {
    const client = await clientOfPage(actor, id, "/merge");
    const other = search.with === String(id) ? null : await clientOfAddress(actor, search.with);
    if (!other) return { client, similar: await similarClients(actor, client.name) };
    const [lists, forms] = await Promise.all([formLists(actor), countForms(actor, [id, other.id])]);
    return { client, pair: { client, other, lists, forms } };
  },
  show: ({ client, similar = [], pair }) => (
    <>
      <PageTitle title="Merge Client" id={client.id} name={client.name} />
      {pair ? (
        <ChooseValues
          key={`${pair.client.lockVersion} ${pair.other.id} ${pair.other.lockVersion}`}
          {...pair}
        />
      ) : (
        <ChooseOther client={client} similar={similar} />
      )}
    </>
  ),
});
