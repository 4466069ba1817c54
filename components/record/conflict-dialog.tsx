"use client";

import { useState } from "react";
import type { Difference } from "@/components/record/differences";
import { Button } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { FieldSet } from "@/components/ui/field";

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

  function choose(name: string, takesTheirs: boolean) {
    const next = new Set(theirs);
    if (takesTheirs) next.add(name);
    else next.delete(name);
    setTheirs(next);
  }

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
      {found.length > 1 && (
        <div className="flex flex-wrap gap-3">
          <Button size="sm" onClick={() => setTheirs(new Set(found.map(({ name }) => name)))}>
            All theirs
          </Button>
          <Button size="sm" onClick={() => setTheirs(new Set())}>
            All mine
          </Button>
        </div>
      )}
      {found.map(({ name, label, ...sides }) => (
        <div key={name} className="border-line border-t pt-2">
          <FieldSet legend={label}>
            {(["theirs", "mine"] as const).map((side) => (
              <label key={side} className="flex min-h-control items-center gap-2.5">
                <input
                  type="radio"
                  className="check"
                  name={`conflict-${name}`}
                  checked={theirs.has(name) === (side === "theirs")}
                  onChange={() => choose(name, side === "theirs")}
                />
                <span className="w-16 flex-none text-muted">{side === "theirs" ? "Theirs" : "Mine"}</span>
                <span className="min-w-0 whitespace-pre-wrap break-words">
                  {sides[side].text || "(blank)"}
                </span>
              </label>
            ))}
          </FieldSet>
        </div>
      ))}
    </Dialog>
  );
}
