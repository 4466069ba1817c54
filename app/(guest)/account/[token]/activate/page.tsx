import { Activation } from "@/components/accounts/activation";
import { GuestCard } from "@/components/shell/guest-card";
import * as api from "@/lib/accounts/api";
import { page } from "@/lib/api/page";

export default page({
  permission: "guest",
  params: api.activateAccount.params,
  load: async ({ params }) => params,
  show: ({ token }) => (
    <GuestCard title="Account Activation">
      <Activation token={token} />
    </GuestCard>
  ),
});
