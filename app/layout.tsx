import type { Metadata, Viewport } from "next";
import localFont from "next/font/local";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { ErrorReporter } from "@/components/shell/error-reporter";
import { OrganizationClock } from "@/components/shell/organization-clock";
import { THEME_COOKIE, themeOf } from "@/components/shell/theme";
import { SteadyPresses } from "@/components/ui/steady-presses";
import { palette } from "@/lib/core/branding/branding";
import { paletteStyle } from "@/lib/core/branding/palette";
import { env } from "@/lib/core/process/env";
import { isPractice } from "@/lib/core/process/practice";
import "./globals.css";

/** Latin letters only: other letters are drawn by the system's face. */
const inter = localFont({
  src: "../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  weight: "100 900",
  variable: "--font-inter",
});

// No title here: PageTitle, GuestCard and Problem each set the title of their page.
export const metadata: Metadata = {
  robots: { index: false, follow: false },
  referrer: "no-referrer",
  formatDetection: { telephone: false, address: false, email: false, date: false },
};

export const viewport: Viewport = {
  colorScheme: "light dark",
  // The on-screen keyboard shrinks the page instead of covering the lower half of a dialog.
  interactiveWidget: "resizes-content",
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = themeOf((await cookies()).get(THEME_COOKIE)?.value);
  const colors = await palette();
  return (
    <html
      lang="en"
      className={inter.variable}
      data-theme={theme}
      style={colors ? paletteStyle(colors) : undefined}
    >
      <body>
        <OrganizationClock timeZone={env().TZ} serverNow={Date.now()} />
        {isPractice() && (
          <aside
            aria-label="Practice mode"
            className="practice break-after-avoid bg-warning-soft px-4 py-1 text-center font-semibold text-warning max-sm:min-h-13 max-sm:pr-16 max-sm:text-left"
          >
            Practice: invented records, reset each night. Enter no real ones.
          </aside>
        )}
        {children}
        <ErrorReporter />
        <SteadyPresses />
      </body>
    </html>
  );
}
