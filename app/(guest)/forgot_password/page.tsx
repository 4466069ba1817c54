import { ForgotPassword } from "@/components/accounts/forgot-password";
import { GuestCard } from "@/components/shell/guest-card";

export default function ForgotPasswordPage() {
  return (
    <GuestCard title="Forgot Password">
      <ForgotPassword />
    </GuestCard>
  );
}
