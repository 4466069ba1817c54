"use client";

import { useRouter } from "next/navigation";
import { keepInBrowser } from "@/components/ui/browser-choices";
import { IconButton } from "@/components/ui/controls";
import { MoonIcon, SunIcon } from "@/components/ui/icons";
import { THEME_COOKIE } from "./theme";

const LABEL = "Switch between light and dark";

/**
 * Returns a function that switches the theme. The choice is stored in a cookie, so that the server's HTML already has
 * it.
 */
function useToggle(): () => void {
  const router = useRouter();
  return () => {
    const scheme = getComputedStyle(document.documentElement).colorScheme;
    const dark =
      scheme === "dark" || (scheme !== "light" && window.matchMedia("(prefers-color-scheme: dark)").matches);
    keepInBrowser(THEME_COOKIE, dark ? "light" : "dark");
    router.refresh();
  };
}

const icon = (
  <>
    <span className="dark:hidden">
      <MoonIcon />
    </span>
    <span className="hidden dark:inline">
      <SunIcon />
    </span>
  </>
);

/** The toggle in the header; hidden on phones. */
export function ThemeToggle() {
  return <IconButton label={LABEL} className="max-sm:hidden" icon={icon} onClick={useToggle()} />;
}

/** The toggle for phones, as a menu entry. */
export function ThemeEntry() {
  return (
    <button type="button" className="nav-link mt-1 sm:hidden" onClick={useToggle()}>
      {icon}
      {LABEL}
    </button>
  );
}
