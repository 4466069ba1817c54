import { Activation } from "@/components/accounts/activation";
import { GuestCard } from "@/components/shell/guest-card";

export default async function ActivationPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  return (
    <GuestCard title="Account Activation">
      <Activation token={token} />
    </GuestCard>
  );
}
