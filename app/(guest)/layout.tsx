import type { ReactNode } from "react";
import { Wordmark } from "@/components/shell/brand";
import { NotificationsProvider } from "@/components/ui/notifications";

export default function GuestLayout({ children }: { children: ReactNode }) {
  return (
    <NotificationsProvider>
      <main className="mx-auto flex min-h-dvh w-full max-w-md flex-col justify-center gap-6 px-4 py-10">
        <Wordmark />
        {children}
      </main>
    </NotificationsProvider>
  );
}
