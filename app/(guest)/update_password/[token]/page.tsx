import { UpdatePassword } from "@/components/accounts/update-password";
import { GuestCard } from "@/components/shell/guest-card";

export default async function UpdatePasswordPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  return (
    <GuestCard title="Update Password">
      <UpdatePassword token={token} />
    </GuestCard>
  );
}
