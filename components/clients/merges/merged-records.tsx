"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { ErrorAlert } from "@/components/ui/alert";
import { Button, LinkButton } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { useNotify } from "@/components/ui/notifications";
import { Section } from "@/components/ui/section";
import { useFailure } from "@/components/ui/use-failure";
import type { Merge } from "@/lib/clients/merges/schema";
import { call, isCode, messagesOf } from "@/lib/core/api/client";
import { to } from "@/lib/core/pages";
import { date } from "@/lib/core/text/format";

/** The records that were merged into a client, with their histories. For 30 days each merge can be undone. */
export function MergedRecords({ merges, mayUndo }: { merges: Merge[]; mayUndo: boolean }) {
  const [undoing, setUndoing] = useState<Merge | null>(null);
  if (merges.length === 0) return null;
  return (
    <Section title="Merged records" className="print-hidden">
      <ul className="flex flex-col divide-y divide-line">
        {merges.map((merge) => (
          <li key={merge.id} className="flex flex-wrap items-center justify-between gap-2 py-2">
            <p>
              {[
                `Client ${merge.mergedId} was merged into client ${merge.clientId}`,
                `on ${date(merge.at)}`,
                merge.by && `by ${merge.by}`,
              ]
                .filter(Boolean)
                .join(" ")}
              {merge.undoableUntil && `. It can be undone until ${date(merge.undoableUntil)}`}.
            </p>
            <div className="flex flex-wrap gap-2">
              <LinkButton size="sm" href={to("clientsHistory", { id: merge.mergedId })}>
                {`History of client ${merge.mergedId}`}
              </LinkButton>
              {mayUndo && merge.undoableUntil && (
                <Button size="sm" onClick={() => setUndoing(merge)}>
                  Undo
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      <UndoDialog key={undoing?.id} merge={undoing} onClose={() => setUndoing(null)} />
    </Section>
  );
}

/** Asks for confirmation before a merge is undone, and again if values that changed since then would be lost. */
function UndoDialog({ merge, onClose }: { merge: Merge | null; onClose: () => void }) {
  const router = useRouter();
  const notify = useNotify();
  const { messages, busy, run } = useFailure();
  const [hasChanges, setHasChanges] = useState(false);
  if (!merge) return null;
  const { id, clientId, mergedId } = merge;

  const undo = () =>
    run(
      async () => {
        await call("POST /api/merges/{id}/undo", { params: { id }, body: { keepChanged: hasChanges } });
        notify.success(`Client ${mergedId} is a separate record again`);
        onClose();
        router.refresh();
      },
      (error) => {
        setHasChanges(isCode(error, "conflict_version"));
        return messagesOf(error);
      },
    );

  return (
    <Dialog
      open
      onClose={onClose}
      title={`Undo the merge of client ${mergedId}?`}
      description={`Client ${mergedId} gets its own forms back. Client ${clientId} gets its previous values back. Forms recorded since the merge stay with client ${clientId}.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={busy} onClick={() => void undo()}>
            {hasChanges ? "Undo, but keep these changes" : "Undo the merge"}
          </Button>
        </>
      }
    >
      <ErrorAlert messages={messages} />
    </Dialog>
  );
}
