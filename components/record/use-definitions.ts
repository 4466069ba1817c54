"use client";

import { useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { ApiError, call } from "@/lib/core/api/client";
import { adoptDefinitions, currentDefinitions, type Definitions } from "@/lib/core/fields/definitions";
import { declaredFacts, fieldAtPath } from "@/lib/core/fields/facts";
import { date } from "@/lib/core/text/format";

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

/** Returns the differences between two versions of the definitions, one sentence each. */
function definitionChanges(before: Definitions, now: Definitions): string[] {
  const line = (words: string, labels: readonly string[]) =>
    labels.length > 0 ? [`${words}: ${labels.join(", ")}.`] : [];
  const former = new Map(before.fields.map((field) => [field.key, field]));
  const current = new Map(now.fields.map((field) => [field.key, field]));
  const labels = (fields: Definitions["fields"]) => fields.map(({ label }) => label);
  const changed = now.fields.filter((field) => {
    const earlier = former.get(field.key);
    return earlier !== undefined && JSON.stringify(earlier) !== JSON.stringify(field);
  });
  return [
    ...line("Added", labels(now.fields.filter(({ key }) => !former.has(key)))),
    ...line("Removed", labels(before.fields.filter(({ key }) => !current.has(key)))),
    ...line("Changed", labels(changed)),
    ...settingChanges(before.settings, now.settings),
    ...(JSON.stringify(before.order) === JSON.stringify(now.order)
      ? []
      : ["The order of the fields has changed."]),
  ];
}

/** Returns the differences between two versions of the settings for built-in fields, one sentence for each field. */
function settingChanges(before: Definitions["settings"], now: Definitions["settings"]): string[] {
  const paths = [...new Set([...before, ...now].map(({ path }) => path))];
  return paths.flatMap((path) => {
    const was = before.find((setting) => setting.path === path);
    const is = now.find((setting) => setting.path === path);
    if (JSON.stringify(was) === JSON.stringify(is)) return [];
    const field = fieldAtPath(path);
    const declared = (field && declaredFacts(field)?.label) ?? path;
    const former = was?.label ?? declared;
    const label = is?.label ?? declared;
    const isHidden = is?.hidden ?? false;
    if (isHidden !== (was?.hidden ?? false)) return [`${label} is now ${isHidden ? "hidden" : "shown"}.`];
    if (former !== label) return [`${former} is now called ${label}.`];
    if (is?.requiredFrom && is.requiredFrom !== was?.requiredFrom)
      return [`${label} is required for services on or after ${date(is.requiredFrom)}.`];
    return [`${label} was changed.`];
  });
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
  return [CHANGED, ...definitionChanges(before, response.definitions)];
}
