import { LookupForm } from "@/components/settings/lookup-form";
import { PageTitle } from "@/components/shell/page-title";
import { can } from "@/lib/core/access/permissions";
import { backTo } from "@/lib/core/api/back-link";
import { invitationDelivery } from "@/lib/identity/users";
import { listParams } from "@/lib/lookups/api-schema";
import { entityOf, lookups } from "@/lib/lookups/registry";
import { choicesFor } from "@/lib/lookups/resources/lists";
import { lookupValues } from "@/lib/lookups/schema";
import { page } from "@/lib/page";

export default page({
  permission: ({ list }) => lookups[list].permission,
  params: listParams,
  load: async ({ actor, params: { list }, search }) => ({
    list,
    values: lookupValues(list),
    choices: await choicesFor(actor, list),
    setsUpReports: can(actor, "reports-setup"),
    back: backTo(`/settings/${list}`, search),
    invitation: list === "users" ? invitationDelivery() : null,
  }),
  show: (data) => (
    <>
      <PageTitle title={`New ${entityOf(data.list)}`} />
      <LookupForm id={null} {...data} />
    </>
  ),
});
