"use client";

import { useRouter } from "next/navigation";
import { keepInBrowser } from "@/components/ui/browser-choices";
import { Button } from "@/components/ui/controls";
import { MoonIcon, SunIcon } from "@/components/ui/icons";
import { THEME_COOKIE } from "./theme";

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

/** An entry of a menu that switches between the light and the dark theme. */
export function ThemeToggle() {
  return (
    <Button
      variant="ghost"
      onClick={useToggle()}
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
    >
      Switch between light and dark
    </Button>
  );
}
