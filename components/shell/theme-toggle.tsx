"use client";

import { useRouter } from "next/navigation";
import { keepInBrowser } from "@/components/ui/browser-choices";
import { IconButton } from "@/components/ui/controls";
import { MoonIcon, SunIcon } from "@/components/ui/icons";
import { THEME_COOKIE } from "./theme";

/** Switches between light and dark; the choice is a cookie, so that the server's HTML has it already. */
export function ThemeToggle() {
  const router = useRouter();

  function toggle() {
    const scheme = getComputedStyle(document.documentElement).colorScheme;
    const dark =
      scheme === "dark" || (scheme !== "light" && window.matchMedia("(prefers-color-scheme: dark)").matches);
    keepInBrowser(THEME_COOKIE, dark ? "light" : "dark");
    router.refresh();
  }

  return (
    <IconButton
      label="Switch between light and dark"
      onClick={toggle}
      icon={
        <>
          <span className="dark:hidden">
            <MoonIcon />
          </span>
          <span className="hidden dark:inline">
            <SunIcon />
          </span>
        </>
      }
    />
  );
}
