"use client";

import { useEffect, useRef } from "react";
import { ErrorAlert } from "@/components/ui/alert";
import { Button } from "@/components/ui/controls";

/** The two records that a save writes, in this order. */
export type SavedRecord = "client" | "form";

/** A refused save: its messages, and the record that someone else has changed or removed, or the draft's use elsewhere. */
export type Failure = {
  messages: string[];
  changed?: SavedRecord;
  removed?: SavedRecord;
  isElsewhere?: true;
};

/** Shows why a save was refused and offers the next steps. */
export function FailureAlert({
  failure,
  onCompare,
  onKeepAsNew,
  onSaveSeparately,
  onDismiss,
}: {
  failure: Failure | null;
  onCompare: (changed: SavedRecord) => Promise<void>;
  onKeepAsNew: (removed: SavedRecord) => void;
  onSaveSeparately: () => Promise<void>;
  onDismiss: () => void;
}) {
  const alert = useRef<HTMLDivElement>(null);
  // Save is always visible, but the top of the form often is not.
  useEffect(() => {
    if (failure) alert.current?.scrollIntoView({ block: "center" });
  }, [failure]);
  if (!failure || failure.messages.length === 0) return null;
  const { messages, changed, removed, isElsewhere } = failure;
  return (
    <div ref={alert} className="stack">
      <ErrorAlert messages={messages} onDismiss={onDismiss} />
      {(changed || removed || isElsewhere) && (
        <div className="flex flex-wrap gap-3">
          {changed && (
            <Button variant="primary" onClick={() => void onCompare(changed)}>
              Compare and choose
            </Button>
          )}
          {removed && (
            <Button variant="primary" onClick={() => onKeepAsNew(removed)}>
              Save as a new {removed}
            </Button>
          )}
          {isElsewhere && <Button onClick={() => void onSaveSeparately()}>Save as another form</Button>}
          <Button onClick={onDismiss}>Keep editing</Button>
        </div>
      )}
    </div>
  );
}
