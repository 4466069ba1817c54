import { Activation } from "@/components/identity/activation";
import { GuestCard } from "@/components/shell/guest-card";
import { PAGES } from "@/lib/core/pages";
import * as api from "@/lib/identity/accounts-api";
import { page } from "@/lib/page";

export default page({
  permission: "guest",
  params: api.activateAccount.params,
  load: async ({ params }) => params,
  show: ({ token }) => (
    <GuestCard title={PAGES.activateAccount.title}>
      <Activation token={token} />
    </GuestCard>
  ),
});
