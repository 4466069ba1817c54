"use client";

import { useState } from "react";
import { ErrorAlert } from "@/components/ui/alert";
import { Button, Select } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { useFailure } from "@/components/ui/use-failure";
import type { Involvement } from "@/lib/clients/restrictions/schema";
import { hasWork, hidingEffects, involvementWords, takeOverWords } from "@/lib/clients/restrictions/words";
import type { UserOption } from "@/lib/lookups/resources/schema";

/**
 * Warns before a client is hidden from a colleague who works with them. Offers to hand over that work first. `onHide`
 * hides the client; if it fails, the dialog stays with the reason.
 */
export function HideDialog({
  name,
  involvement,
  successors,
  onHide,
  onClose,
}: {
  name: string;
  involvement: Involvement;
  successors: UserOption[];
  onHide: (successor: UserOption | undefined) => Promise<void>;
  onClose: () => void;
}) {
  const { messages, busy, run } = useFailure();
  const [successorId, setSuccessorId] = useState("");
  const successor = successors.find(({ id }) => String(id) === successorId);
  // The colleague can finish the work that is handed over.
  const remainingWork = successor ? { ...involvement, returned: 0, drafts: 0 } : involvement;

  return (
    <Dialog
      open
      onClose={onClose}
      title={`Hide the client from ${name}`}
      description={involvementWords(name, involvement)}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger" busy={busy} onClick={() => run(() => onHide(successor))}>
            {successor ? "Hand over and hide" : "Hide anyway"}
          </Button>
        </>
      }
    >
      <ErrorAlert messages={messages} />
      <div>
        <p>Once hidden:</p>
        <ul className="list-disc pl-5">
          {hidingEffects(name, remainingWork).map((effect) => (
            <li key={effect} className="wrap-anywhere">
              {effect}
            </li>
          ))}
        </ul>
      </div>
      {hasWork(involvement) && (
        <div className="flex flex-col gap-1">
          <Select
            className="flex flex-col gap-1"
            label="Hand over first to"
            placeholder="-- No one --"
            options={successors.map(({ id, name }) => ({ value: id, label: name }))}
            value={successorId}
            onChange={setSuccessorId}
          />
          <p role="status" className="text-muted text-sm wrap-anywhere">
            {successor &&
              `${takeOverWords(successor.name, involvement)} Forms in closed periods and drafts of forms that ${successor.name} cannot open are not handed over.`}
          </p>
        </div>
      )}
    </Dialog>
  );
}
