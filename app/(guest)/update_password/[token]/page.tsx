import { z } from "zod";
import { UpdatePassword } from "@/components/identity/update-password";
import { GuestCard } from "@/components/shell/guest-card";
import { PAGES } from "@/lib/core/pages";
import { env } from "@/lib/core/process/env";
import { passwordOwner } from "@/lib/identity/accounts";
import { page } from "@/lib/page";

export default page({
  permission: "guest",
  params: z.object({ token: z.string() }),
  load: async ({ params: { token } }) => ({ token, owner: await passwordOwner(token) }),
  show: ({ token, owner }) => (
    <GuestCard title={PAGES.updatePassword.title}>
      <UpdatePassword token={token} policy={{ owner, refuseCommon: env().REFUSE_COMMON_PASSWORDS }} />
    </GuestCard>
  ),
});
