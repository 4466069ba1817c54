"use client";

import { useCallback } from "react";
import { fingerprint } from "@/components/forms/check";
import { useSettled } from "@/components/forms/use-settled";
import type { FormValues, Rules } from "@/components/forms/values";
import type { AutosaveState } from "@/components/record/autosave";
import { Button, LinkButton } from "@/components/ui/controls";
import { CheckIcon, ListIcon, PrintIcon } from "@/components/ui/icons";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";

const DRAFT_WORDS: Record<AutosaveState, string> = {
  idle: "",
  saving: "Saving draft…",
  saved: "Draft saved",
  failed: "Draft not saved yet. Retrying.",
  refused: "Draft not saved. Save your changes now.",
};

/** The Save button, always visible, with the saving state. Asks before the user leaves unsaved changes. */
export function SaveBar({
  label,
  busy,
  baseline,
  rules,
  hasRecord,
  reconciled,
  draft,
  back,
}: {
  label: string;
  busy: boolean;
  /** The fingerprint of the values last saved or loaded. */
  baseline: string;
  rules: Rules;
  hasRecord: boolean;
  /** True if saving a change makes a reconciled form unreconciled. */
  reconciled: boolean;
  /** The state of the draft of the unsaved changes. */
  draft: AutosaveState;
  /** The URL that Cancel links to. */
  back: string;
}) {
  const unsaved = useUnsaved(baseline, rules);
  return (
    <div className="sticky bottom-0 z-10 -mx-4 flex h-18 items-center gap-x-1.5 border-line border-t bg-surface px-4 max-sm:flex-wrap max-sm:content-center sm:-mx-6 sm:h-16 sm:gap-3 sm:px-6 xl:mx-0 xl:rounded-xl xl:border">
      {/* On its own line on narrow screens. */}
      <p role="status" className="min-w-0 flex-1 text-sm max-sm:basis-full max-sm:truncate max-sm:text-xs">
        {unsaved ? (
          <>
            <span className="font-medium text-warning">
              <span aria-hidden="true">● </span>
              {reconciled ? "Saving makes this form unreconciled" : "Unsaved changes"}
            </span>{" "}
            <span className="text-muted text-xs leading-tight sm:block">{DRAFT_WORDS[draft]}</span>
          </>
        ) : (
          <span className="flex items-center gap-1.5 text-muted">
            {hasRecord && <CheckIcon />}
            {hasRecord ? "All changes saved" : "Nothing to save yet"}
          </span>
        )}
      </p>
      <a
        href="#sections"
        aria-label="Sections"
        title="Sections"
        className="button max-sm:ml-auto xl:hidden"
        data-variant="ghost"
        data-icon-only=""
      >
        <ListIcon />
      </a>
      <Button icon={<PrintIcon />} onClick={() => window.print()} className="max-sm:border-0 max-sm:px-2">
        <span className="max-sm:sr-only">Print</span>
      </Button>
      <LinkButton href={back} className="max-sm:border-0 max-sm:px-2">
        Cancel
      </LinkButton>
      <Button type="submit" variant="primary" busy={busy}>
        {label}
      </Button>
      <UnsavedGuard
        unsaved={unsaved}
        description="You have unsaved changes. A draft is kept for 7 days. You can continue it from the forms list."
      />
    </div>
  );
}

/** True if the screen has unsaved changes: true at once on any change, compared exactly once typing pauses. */
const useUnsaved = (baseline: string, rules: Rules): boolean =>
  useSettled(
    useCallback((values: FormValues) => fingerprint(values, rules) !== baseline, [baseline, rules]),
    true,
  );
