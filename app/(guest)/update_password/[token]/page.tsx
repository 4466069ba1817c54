import { UpdatePassword } from "@/components/accounts/update-password";
import { GuestCard } from "@/components/shell/guest-card";
import { passwordOwner } from "@/lib/accounts/data";
import { env } from "@/lib/server/env";

export default async function UpdatePasswordPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  return (
    <GuestCard title="Update Password">
      <UpdatePassword
        token={token}
        policy={{ owner: await passwordOwner(token), refuseCommon: env().REFUSE_COMMON_PASSWORDS }}
      />
    </GuestCard>
  );
}
