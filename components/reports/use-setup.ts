import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { useBackOfStep } from "@/components/shell/set-up-page";
import { useNotify } from "@/components/ui/notifications";
import { ApiError, call, isCode, messagesOf } from "@/lib/core/api/client";
import type { Mapping } from "@/lib/reports/mapping";
import type { Period } from "@/lib/reports/periods";
import type { Change, SetupResponse } from "@/lib/reports/setup/schema";
import { type EditedSetup, mergedSetup, type Settings } from "./merged-setup";

export const DUE_DAYS = "Due, in days after the period";

/** A refused setup: all messages, and those of single fields by their path. */
type Refusal = { messages: string[]; fields: Record<string, string> };

/** Returns the messages of fields after the mapping at this place was removed. Those of later mappings move with them. */
const withoutMapping = (fields: Refusal["fields"], at: number): Refusal["fields"] =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([path, message]) => {
      const place = Number(/^setup\.mappings\.(\d+)\./.exec(path)?.[1] ?? -1);
      if (place === at) return [];
      return [[place > at ? path.replace(String(place), String(place - 1)) : path, message]];
    }),
  );

const settingsOf = ({ yearStart, dueDays, dueFrom }: SetupResponse): Settings => ({
  yearStart,
  dueDays: String(dueDays),
  dueFrom,
});

/** Returns the names of what this page and someone else have changed differently. */
function clashNames({ bothChanged }: ReturnType<typeof mergedSetup>, { sources }: SetupResponse): string[] {
  return [
    ...(bothChanged("yearStart") ? ["the start of the year"] : []),
    ...(bothChanged("dueDays") ? ["the days until it is due"] : []),
    ...(bothChanged("dueFrom") ? ["the first due date"] : []),
    ...sources.filter(bothChanged).map(({ label }) => label),
  ];
}

/** Holds a setup while it is edited. Calls `onCountsChange` before a change of what reports count. */
function useDraft(setup: SetupResponse, onCountsChange: () => void) {
  const [settings, setSettings] = useState(() => settingsOf(setup));
  const [mappings, setMappings] = useState<Mapping[]>(setup.mappings);
  return {
    settings,
    mappings,
    /** Replaces everything. */
    show(next: { settings: Settings; mappings: Mapping[] }) {
      onCountsChange();
      setSettings(next.settings);
      setMappings(next.mappings);
    },
    change(next: Partial<Settings>) {
      if ("yearStart" in next) onCountsChange();
      setSettings((all) => ({ ...all, ...next }));
    },
    add(mapping: Mapping) {
      onCountsChange();
      setMappings((all) => [...all, mapping]);
    },
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
  /** The setup as this page has loaded or saved it last. */
  const [base, setBase] = useState<EditedSetup>({ settings, mappings });
  const text = JSON.stringify({ settings, mappings });
  /** The setup as edited now, for a response that arrives after another edit. */
  const latest = useRef({ settings, mappings });
  latest.current = { settings, mappings };
  const isLatest = () => JSON.stringify(latest.current) === text;

  /** Shows what someone else has stored together with the changes made here. Returns messages about it. */
  async function adopt(): Promise<string[]> {
    const { setup: stored } = await call("GET /api/reports/{key}/setup", { params: { key: setup.report } });
    const theirs = { settings: settingsOf(stored), mappings: stored.mappings };
    const merged = mergedSetup(base, latest.current, theirs);
    draft.show(merged);
    setBase(theirs);
    setLockVersion(stored.lockVersion);
    // The page shows the values, which may be others now.
    router.refresh();
    const clashes = clashNames(merged, stored);
    return [
      "Their changes are shown here now, and yours are kept. Check them, then save again.",
      ...(clashes.length > 0 ? [`You both changed ${clashes.join(", ")}: your choice is shown.`] : []),
    ];
  }

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
        if (isLatest()) setChanges(tried.changes);
      } else {
        const saved = await call("PUT /api/reports/{key}/setup", { params, body: { setup: sent } });
        setLockVersion(saved.setup.lockVersion);
        setBase({ settings, mappings });
        notify.success("Updated Reports Setup successfully");
        if (setUp !== null) router.push(setUp);
        router.refresh();
      }
    } catch (error) {
      if (isCode(error, "conflict_in_use")) setTouched(messagesOf(error));
      else if (isCode(error, "conflict_version")) {
        const more = await adopt().catch(messagesOf);
        setRefusal({ messages: [...messagesOf(error), ...more], fields: {} });
      } else {
        const isOfThese = error instanceof ApiError && isLatest();
        setRefusal({ messages: messagesOf(error), fields: isOfThese ? error.fields : {} });
      }
    } finally {
      setBusy((now) => (now === what ? null : now));
    }
  }

  return {
    ...draft,
    /** Replaces the mapping at this place, or removes it. */
    replace(at: number, next: Mapping | null) {
      draft.replace(at, next);
      if (!next) setRefusal((now) => now && { ...now, fields: withoutMapping(now.fields, at) });
    },
    /** The lines that the last try would change; null if nothing was tried since the last edit. */
    changes,
    refusal,
    /** The submissions and closed months that a save would touch, in words; null while no save waits for confirmation. */
    touched,
    busy,
    isUnsaved: text !== JSON.stringify(base),
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
