"use client";

import { useCallback, useState } from "react";
import { usePresetDay } from "@/components/forms/preset-day";
import { countMissing } from "@/components/forms/reading";
import { useSettled } from "@/components/forms/use-settled";
import type { FormValues, Rules } from "@/components/forms/values";
import type { AutosaveState } from "@/components/record/autosave";
import { Button, LinkButton } from "@/components/ui/controls";
import { NeededMark } from "@/components/ui/field";
import { useHydrated } from "@/components/ui/hydrated";
import { CheckIcon, ListIcon, PrintIcon } from "@/components/ui/icons";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { useOffline } from "@/components/ui/use-offline";
import { counted } from "@/lib/core/text/format";

const KEPT = "You have unsaved changes. A draft is kept for 7 days. You can continue it from the forms list.";
const lost = (bar: string) => ({ bar, leaving: `${bar} If you leave, your latest changes are lost.` });

/** The draft's state in words: in the bar, and in the question before the user leaves. */
const DRAFT_WORDS: Record<AutosaveState, { bar: string; leaving: string }> = {
  idle: { bar: "", leaving: KEPT },
  changed: { bar: "", leaving: KEPT },
  saving: { bar: "Saving draft…", leaving: KEPT },
  saved: { bar: "Draft saved", leaving: KEPT },
  failed: lost("Draft not saved yet. Retrying."),
  refused: lost("Draft not saved. Save your changes now."),
};

const ELSEWHERE = "first draft used elsewhere";

/** The draft's state for a screen reader. */
const SPOKEN_DRAFT = {
  idle: "",
  saved: "The draft is saved.",
  failed: "The draft is not saved yet.",
  refused: "The draft is not saved. Please save the form now.",
};

/** Returns what a screen reader says of the draft: once that it is saved, and each failure. */
function useSpokenDraft(draft: AutosaveState): string {
  const [spoken, setSpoken] = useState("");
  const words = draft === "saving" || draft === "changed" ? spoken : SPOKEN_DRAFT[draft];
  if (spoken !== words) setSpoken(words);
  return spoken;
}

/** The Save button, always visible, with the saving state. Asks before the user leaves unsaved changes. */
export function SaveBar({
  label,
  busy,
  isUnsaved,
  rules,
  hasRecord,
  reconciled,
  draft,
  isElsewhere,
  presetDay,
  back,
}: {
  label: string;
  busy: boolean;
  /** True if the values differ from those last saved or loaded. */
  isUnsaved: (values: FormValues, rules: Rules) => boolean;
  rules: Rules;
  hasRecord: boolean;
  /** True if saving a change makes a reconciled form unreconciled. */
  reconciled: boolean;
  /** The state of the draft of the unsaved changes. */
  draft: AutosaveState;
  /** True if an earlier draft of this page was saved, changed, or discarded elsewhere. */
  isElsewhere: boolean;
  /** The day of service of a new form, if it was set before the screen opened. */
  presetDay: string | null;
  /** The URL that Cancel links to. */
  back: string;
}) {
  const hydrated = useHydrated();
  const unsaved = useUnsaved(isUnsaved, rules);
  const missingCount = useSettled(useCallback((values: FormValues) => countMissing(values, rules), [rules]));
  const offline = useOffline();
  const dayWords = usePresetDay(presetDay);
  // Without a connection, a draft that is not stored yet cannot be stored.
  const shownDraft = offline && draft !== "saved" ? "failed" : draft;
  const words = DRAFT_WORDS[shownDraft];
  const spokenDraft = useSpokenDraft(shownDraft);
  return (
    <div className="**:-scroll-mb-28! sticky bottom-0 z-10 -mx-4 flex h-22 items-center gap-x-1.5 border-line border-t bg-surface px-4 max-sm:flex-wrap max-sm:content-center sm:-mx-6 sm:h-16 sm:gap-3 sm:px-6 xl:mx-0 xl:rounded-xl xl:border">
      {/* On its own lines on narrow screens. */}
      <div className="min-w-0 flex-1 text-sm max-sm:basis-full max-sm:text-xs">
        <p aria-live="polite" className="sr-only">
          {spokenDraft}
        </p>
        <p role="status" className="max-sm:truncate">
          {unsaved ? (
            <>
              <span className="font-medium text-warning">
                <span aria-hidden="true">● </span>
                {/* On a phone, the draft's state leaves no space for it. */}
                <span className={!reconciled && words.bar ? "max-sm:sr-only" : undefined}>
                  {reconciled ? "Saving makes this form unreconciled" : "Unsaved changes"}
                </span>
              </span>{" "}
              {/* Each change would be spoken. */}
              <span aria-hidden="true" className="text-muted text-xs">
                {words.bar}
                {isElsewhere && ` (${ELSEWHERE})`}
              </span>
            </>
          ) : (
            <span className="flex items-center gap-1.5 text-muted">
              {hydrated && hasRecord && <CheckIcon />}
              {/* Before the page has its scripts, its fields are blank. */}
              {hydrated ? (hasRecord ? "All changes saved" : "No changes yet") : "Loading…"}
            </span>
          )}
        </p>
        {/* A link to a field may have skipped the notice on top. A phone has two lines. */}
        {dayWords && <p className="font-medium text-warning max-sm:truncate">{dayWords}</p>}
        {missingCount > 0 && (
          <p className={`text-muted text-xs max-sm:truncate ${dayWords ? "max-sm:hidden" : ""}`}>
            {counted(missingCount, "answer")} that funders ask for {missingCount === 1 ? "is" : "are"} missing
            <NeededMark />
          </p>
        )}
      </div>
      <a
        href="#sections"
        aria-label="Sections"
        title="Sections"
        className="button max-sm:hidden xl:hidden"
        data-variant="ghost"
        data-icon-only=""
      >
        <ListIcon />
      </a>
      <Button
        icon={<PrintIcon />}
        onClick={() => window.print()}
        className="max-sm:ml-auto max-sm:min-w-11 max-sm:border-0 max-sm:px-2"
      >
        <span className="max-sm:sr-only">Print</span>
      </Button>
      <LinkButton href={back} className="max-sm:border-0 max-sm:px-2">
        Cancel
      </LinkButton>
      <Button type="submit" variant="primary" busy={busy}>
        {label}
      </Button>
      <UnsavedGuard unsaved={unsaved} description={words.leaving} />
    </div>
  );
}

/** True if the screen has unsaved changes: true at once on any change, compared exactly once typing pauses. */
const useUnsaved = (isUnsaved: (values: FormValues, rules: Rules) => boolean, rules: Rules): boolean =>
  useSettled(
    useCallback((values: FormValues) => isUnsaved(values, rules), [isUnsaved, rules]),
    true,
  );
