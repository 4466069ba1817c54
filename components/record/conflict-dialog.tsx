"use client";

import { type ComponentProps, useState } from "react";
import type { Difference } from "@/components/record/differences";
import { FieldChoices } from "@/components/record/field-choices";
import { Button } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { useNotify } from "@/components/ui/notifications";
import { useAttempt } from "@/components/ui/use-failure";

const WORDS = {
  theirs: { side: "Theirs", all: "Use all of theirs" },
  mine: { side: "Mine", all: "Use all of mine" },
};

/** Lets the user choose, change by change, between the values that someone else saved and the typed ones. */
export function ConflictDialog({
  message,
  found,
  phone,
  onClose,
  onMerge,
}: {
  /** The server's message, which names the user who changed the record. */
  message: string;
  found: readonly Difference[];
  phone?: ComponentProps<typeof FieldChoices>["phone"];
  onClose: () => void;
  onMerge: (takesTheirs: (name: string) => boolean) => Promise<void>;
}) {
  const { busy, run } = useAttempt(useNotify().error);
  // Initially, fields that only they changed are theirs, and fields that both sides changed are mine.
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
          ? `${message}. For each change, choose theirs or yours. Then save the record.`
          : `${message}. Their values match what you typed. Continue, then save.`
      }
      footer={
        <>
          <Button onClick={onClose}>Keep editing</Button>
          <Button
            variant="primary"
            busy={busy}
            onClick={() => void run(() => onMerge((name) => theirs.has(name)))}
          >
            {found.length > 0 ? "Use these" : "Continue"}
          </Button>
        </>
      }
    >
      <FieldChoices
        found={found}
        theirs={theirs}
        onChange={setTheirs}
        words={WORDS}
        shows="change"
        phone={phone}
      />
    </Dialog>
  );
}
