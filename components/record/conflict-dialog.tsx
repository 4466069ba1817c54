"use client";

import { useState } from "react";
import type { Difference } from "@/components/record/differences";
import { FieldChoices } from "@/components/record/field-choices";
import { Button } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";

const WORDS = {
  theirs: { side: "Theirs", all: "All theirs" },
  mine: { side: "Mine", all: "All mine" },
};

/** Lets the user choose, field by field, between what somebody else has saved and what is typed here. */
export function ConflictDialog({
  message,
  found,
  onClose,
  onMerge,
}: {
  /** Who changed the record, in the server's words. */
  message: string;
  found: readonly Difference[];
  onClose: () => void;
  onMerge: (takesTheirs: (name: string) => boolean) => void;
}) {
  // Initially, fields that only they changed are theirs, and fields that both changed are mine.
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(
    () => new Set(found.filter(({ bothChanged }) => !bothChanged).map(({ name }) => name)),
  );

  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Changed by someone else"
      description={
        found.length > 0
          ? `${message}. Choose what to keep of each field, then save.`
          : `${message}, but nothing of it differs from what is typed here. You can save now.`
      }
      footer={
        <>
          <Button onClick={onClose}>Keep editing</Button>
          <Button variant="primary" onClick={() => onMerge((name) => theirs.has(name))}>
            Use these
          </Button>
        </>
      }
    >
      <FieldChoices found={found} theirs={theirs} onChange={setTheirs} words={WORDS} />
    </Dialog>
  );
}
