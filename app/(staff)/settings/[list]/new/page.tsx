import { LookupForm } from "@/components/settings/lookup-form";
import { PageTitle } from "@/components/shell/page-title";
import { backTo, page } from "@/lib/api/page";
import { entityOf, lookups } from "@/lib/lookups/registry";
import { choicesFor } from "@/lib/lookups/resources/data";
import { listParams, lookupValues } from "@/lib/lookups/schema";

export default page({
  permission: ({ list }) => lookups[list].permission,
  params: listParams,
  load: async ({ actor, params: { list }, search }) => ({
    list,
    values: lookupValues(list),
    choices: await choicesFor(actor, list),
    back: backTo(`/settings/${list}`, search),
  }),
  show: (data) => (
    <>
      <PageTitle title={`New ${entityOf(data.list)}`} />
      <LookupForm id={null} {...data} />
    </>
  ),
});
