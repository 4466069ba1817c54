import { ForgotPassword } from "@/components/identity/forgot-password";
import { GuestCard } from "@/components/shell/guest-card";
import { PAGES } from "@/lib/core/pages";
import { page } from "@/lib/page";

export default page({
  permission: "guest",
  load: async () => null,
  show: () => (
    <GuestCard title={PAGES.forgotPassword.title}>
      <ForgotPassword />
    </GuestCard>
  ),
});
