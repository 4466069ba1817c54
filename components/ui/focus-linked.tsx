"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { focusField } from "./open-section";

/** The time in which a long form renders the field that the URL names. */
const RENDERED_WITHIN_MS = 5000;

/**
 * Focuses and marks the field that the URL names, as `#field-leftOn` in the link of a gap, once it is on the page. The mark goes
 * when the field loses the focus. A key or click before that leaves the focus where it is.
 */
export function FocusLinked() {
  const path = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page has its own fragment
  useEffect(() => {
    const id = window.location.hash.slice(1);
    if (!id.startsWith("field-")) return;
    const ended = new AbortController();
    const { signal } = ended;
    const find = () => {
      const found = document.getElementById(id);
      const field = found?.matches("input, select, textarea, button")
        ? found
        : found?.querySelector<HTMLElement>("input, select, textarea, button");
      if (!field) return;
      ended.abort();
      focusField(field);
      field.scrollIntoView({ block: "center" });
      field.dataset.linked = "";
      field.addEventListener("blur", () => delete field.dataset.linked, { once: true });
    };
    const observer = new MutationObserver(find);
    const timer = setTimeout(() => ended.abort(), RENDERED_WITHIN_MS);
    signal.addEventListener("abort", () => {
      observer.disconnect();
      clearTimeout(timer);
    });
    for (const use of ["keydown", "pointerdown"])
      document.addEventListener(use, () => ended.abort(), { signal });
    observer.observe(document.body, { childList: true, subtree: true });
    find();
    return () => ended.abort();
  }, [path]);
  return null;
}
