import { ForgotPassword } from "@/components/accounts/forgot-password";
import { GuestCard } from "@/components/shell/guest-card";
import { page } from "@/lib/api/page";

export default page({
  permission: "guest",
  load: async () => null,
  show: () => (
    <GuestCard title="Forgot Password">
      <ForgotPassword />
    </GuestCard>
  ),
});
