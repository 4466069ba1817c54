"use client";

import { useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { ApiError, call } from "@/lib/core/api/client";
import { adoptDefinitions, currentDefinitions, type Definitions } from "@/lib/core/fields/definitions";

const listeners = new Set<() => void>();

/** Returns the current field definitions, and renders again when this page adopts newer ones. */
export const useDefinitions = (): Definitions =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    currentDefinitions,
    currentDefinitions,
  );

/** Adopts definitions and renders everything that uses them again. */
function replaceDefinitions(definitions: Definitions): void {
  adoptDefinitions(definitions);
  for (const listener of listeners) listener();
}

/**
 * Shows a draft of the definitions on this page as if it were saved, until the component unmounts. It must have the
 * version of the saved ones.
 */
export function useDraftDefinitions(saved: Definitions, draft: Definitions): void {
  const shown = useRef(draft);
  useLayoutEffect(() => {
    shown.current = draft;
    replaceDefinitions(draft);
  }, [draft]);
  useLayoutEffect(
    () => () => {
      // A response may have brought newer definitions in the meantime.
      if (currentDefinitions() === shown.current) replaceDefinitions(saved);
    },
    [saved],
  );
}

const CHANGED = "The fields have changed since you opened this page. Nothing you typed is lost.";

/**
 * After a save that was refused because of its values: adopts the definitions that are current now. Returns what changed,
 * to be shown with the error; nothing if they are still the same.
 */
export async function adoptAfter(error: unknown): Promise<string[]> {
  const isAboutFields =
    error instanceof ApiError &&
    (error.status === 422 || (error.status === 409 && Object.keys(error.fields).length > 0));
  if (!isAboutFields) return [];
  const before = currentDefinitions();
  const response = await call("GET /api/fields").catch(() => null);
  if (!response || response.definitions.version === before.version) return [];
  replaceDefinitions(response.definitions);
  const words = await import("@/components/record/definition-changes").catch(() => null);
  return [CHANGED, ...(words?.definitionChanges(before, response.definitions) ?? [])];
}
