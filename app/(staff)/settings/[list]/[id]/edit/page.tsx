import * as z from "zod/mini";
import { AccountActions } from "@/components/settings/account-actions";
import { LookupForm } from "@/components/settings/lookup-form";
import { PageTitle } from "@/components/shell/page-title";
import { can } from "@/lib/core/access/permissions";
import { backTo } from "@/lib/core/api/back-link";
import { idParam } from "@/lib/core/api/list-query";
import { accountScreen } from "@/lib/forms/hand-over/screen";
import { listParams } from "@/lib/lookups/api-schema";
import { entityOf, lookups } from "@/lib/lookups/registry";
import { choicesFor } from "@/lib/lookups/resources/lists";
import { lookupValues } from "@/lib/lookups/schema";
import { lookupStores } from "@/lib/lookups/store";
import { page } from "@/lib/page";

export default page({
  permission: ({ list }) => lookups[list].permission,
  params: z.extend(listParams, { id: idParam }),
  load: async ({ actor, params: { list, id }, search }) => {
    const [item, choices] = await Promise.all([lookupStores[list].get(actor, id), choicesFor(actor, list)]);
    const account = list === "users" ? await accountScreen(actor, item) : null;
    return {
      list,
      id,
      name: String(item[lookups[list].label]),
      values: lookupValues(list, item),
      choices,
      back: backTo(`/settings/${list}`, search),
      setsUpReports: can(actor, "reports-setup"),
      invitation: account?.invitation ?? null,
      account,
    };
  },
  show: (data) => (
    <>
      <PageTitle title={`Edit ${entityOf(data.list)}`} id={data.id} recordName={data.name} />
      <LookupForm {...data} />
      {data.account && <AccountActions id={data.id} {...data.account} />}
    </>
  ),
});
