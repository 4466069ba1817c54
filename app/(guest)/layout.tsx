import type { ReactNode } from "react";
import { Wordmark } from "@/components/shell/brand";
import { NotificationsProvider } from "@/components/ui/notifications";
import { branding } from "@/lib/core/branding/branding";

export default async function GuestLayout({ children }: { children: ReactNode }) {
  const brand = await branding();
  return (
    <NotificationsProvider>
      <main className="mx-auto flex min-h-dvh w-full max-w-md flex-col justify-center gap-6 px-4 py-10">
        <Wordmark brand={brand} />
        {children}
        {brand.help && (
          <p className="whitespace-pre-line text-center text-muted text-sm wrap-anywhere">{brand.help}</p>
        )}
      </main>
    </NotificationsProvider>
  );
}
