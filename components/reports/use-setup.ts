import { useRouter } from "next/navigation";
import { useState } from "react";
import { useBackOfStep } from "@/components/shell/set-up-page";
import { useNotify } from "@/components/ui/notifications";
import { ApiError, call, isCode, messagesOf } from "@/lib/core/api/client";
import type { Mapping } from "@/lib/reports/mapping";
import type { Period } from "@/lib/reports/periods";
import type { Change, SetupResponse } from "@/lib/reports/setup/schema";

export const DUE_DAYS = "Due, in days after the period";

/** The settings of a setup next to its mappings. `dueDays` is as typed. */
type Settings = { yearStart: number; dueDays: string; dueFrom: string | null };
/** A refused setup: all messages, and those of single fields by their path. */
type Refusal = { messages: string[]; fields: Record<string, string> };

/** Holds a setup while it is edited. Calls `onCountsChange` before a change of what reports count. */
function useDraft(setup: SetupResponse, onCountsChange: () => void) {
  const [settings, setSettings] = useState<Settings>({
    yearStart: setup.yearStart,
    dueDays: String(setup.dueDays),
    dueFrom: setup.dueFrom,
  });
  const [mappings, setMappings] = useState<Mapping[]>(setup.mappings);
  return {
    settings,
    mappings,
    change(next: Partial<Settings>) {
      if ("yearStart" in next) onCountsChange();
      setSettings((all) => ({ ...all, ...next }));
    },
    add(mapping: Mapping) {
      onCountsChange();
      setMappings((all) => [...all, mapping]);
    },
    /** Replaces the mapping at this place, or removes it. */
    replace(at: number, next: Mapping | null) {
      onCountsChange();
      setMappings((all) => all.flatMap((mapping, place) => (place === at ? (next ?? []) : mapping)));
    },
  };
}

/** Holds a report's setup while it is edited, tries it on a quarter, and saves it. */
export function useSetup(setup: SetupResponse, quarter: Period) {
  const router = useRouter();
  const setUp = useBackOfStep(null);
  const notify = useNotify();
  const [changes, setChanges] = useState<Change[] | null>(null);
  const draft = useDraft(setup, () => setChanges(null));
  const { settings, mappings } = draft;
  const [lockVersion, setLockVersion] = useState(setup.lockVersion);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [touched, setTouched] = useState<string[] | null>(null);
  const [busy, setBusy] = useState<"try" | "save" | null>(null);
  const text = JSON.stringify({ settings, mappings });
  const [savedText, setSavedText] = useState(text);

  /** Sends the setup. If it was refused, or the server asks for confirmation, the state says so. */
  async function send(what: "try" | "save", confirmed?: true) {
    setTouched(null);
    setRefusal(null);
    if (!/^\d+$/.test(settings.dueDays.trim()))
      return setRefusal({ messages: [`${DUE_DAYS} must be a whole number`], fields: {} });
    const params = { key: setup.report };
    const sent = { ...settings, dueDays: Number(settings.dueDays), mappings, lockVersion, confirmed };
    setBusy(what);
    try {
      if (what === "try") {
        const tried = await call("POST /api/reports/{key}/setup/try", {
          params,
          query: quarter,
          body: { setup: sent },
        });
        setChanges(tried.changes);
      } else {
        const saved = await call("PUT /api/reports/{key}/setup", { params, body: { setup: sent } });
        setLockVersion(saved.setup.lockVersion);
        setSavedText(text);
        notify.success("Updated Reports Setup successfully");
        if (setUp !== null) router.push(setUp);
        router.refresh();
      }
    } catch (error) {
      if (isCode(error, "conflict_in_use")) setTouched(messagesOf(error));
      else setRefusal({ messages: messagesOf(error), fields: error instanceof ApiError ? error.fields : {} });
    } finally {
      setBusy(null);
    }
  }

  return {
    ...draft,
    /** The lines that the last try would change; null if nothing was tried since the last edit. */
    changes,
    refusal,
    /** The submissions and closed months that a save would touch, in words; null while no save waits for confirmation. */
    touched,
    busy,
    isUnsaved: text !== savedText,
    /** Returns the messages about the mapping at this place; "" if there are none. */
    problemAt: (at: number): string =>
      Object.entries(refusal?.fields ?? {})
        .filter(([path]) => path.startsWith(`setup.mappings.${at}.`))
        .map(([, message]) => message)
        .join("; "),
    tryIt: () => send("try"),
    save: () => send("save"),
    confirm: () => send("save", true),
    cancel: () => setTouched(null),
  };
}
