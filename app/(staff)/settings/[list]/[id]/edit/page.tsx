import { AccountActions } from "@/components/settings/account-actions";
import { LookupForm } from "@/components/settings/lookup-form";
import { PageTitle } from "@/components/shell/page-title";
import { idParam } from "@/lib/api/list-query";
import { backTo, page } from "@/lib/api/page";
import { lookupStores } from "@/lib/lookups/data";
import { entityOf, lookups } from "@/lib/lookups/registry";
import { choicesFor, userOptions } from "@/lib/lookups/resources/data";
import { listParams, lookupValues } from "@/lib/lookups/schema";

export default page({
  permission: ({ list }) => lookups[list].permission,
  params: listParams.extend({ id: idParam }),
  load: async ({ actor, params: { list, id }, search }) => {
    const [item, choices, people] = await Promise.all([
      lookupStores[list].get(actor, id),
      choicesFor(actor, list),
      list === "users" ? userOptions(actor) : [],
    ]);
    const colleagues = people.filter((person) => person.active && person.id !== id);
    const status = { status: String(item.status), twoStep: item.twoStep === true };
    const account = list === "users" ? { ...status, isOwn: id === actor.userId, colleagues } : null;
    return {
      list,
      id,
      values: lookupValues(list, item),
      choices,
      back: backTo(`/settings/${list}`, search),
      account,
    };
  },
  show: (data) => (
    <>
      <PageTitle title={`Edit ${entityOf(data.list)}`} id={data.id} />
      <LookupForm {...data} />
      {data.account && <AccountActions id={data.id} values={data.values} {...data.account} />}
    </>
  ),
});
