"use client";

import { useRouter } from "next/navigation";
import { keepInBrowser } from "@/components/ui/browser-choices";
import { IconButton } from "@/components/ui/controls";
import { MoonIcon, SunIcon } from "@/components/ui/icons";
import { THEME_COOKIE } from "./theme";

const LABEL = "Switch between light and dark";

/** Switches; the choice is a cookie, so that the server's HTML has it already. */
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

/** The header's; on a phone there is no room for it. */
export function ThemeToggle() {
  return <IconButton label={LABEL} className="max-sm:hidden" icon={icon} onClick={useToggle()} />;
}

/** The phone's, an entry of the menu. */
export function ThemeEntry() {
  return (
    <button type="button" className="nav-link mt-1 sm:hidden" onClick={useToggle()}>
      {icon}
      {LABEL}
    </button>
  );
}
