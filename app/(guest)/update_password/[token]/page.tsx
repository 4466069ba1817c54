import { z } from "zod";
import { UpdatePassword } from "@/components/accounts/update-password";
import { GuestCard } from "@/components/shell/guest-card";
import { passwordOwner } from "@/lib/accounts/data";
import { page } from "@/lib/api/page";
import { env } from "@/lib/server/env";

export default page({
  permission: "guest",
  params: z.object({ token: z.string() }),
  load: async ({ params: { token } }) => ({ token, owner: await passwordOwner(token) }),
  show: ({ token, owner }) => (
    <GuestCard title="Update Password">
      <UpdatePassword token={token} policy={{ owner, refuseCommon: env().REFUSE_COMMON_PASSWORDS }} />
    </GuestCard>
  ),
});
