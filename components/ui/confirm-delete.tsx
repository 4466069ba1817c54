"use client";

import { useState } from "react";
import { messagesOf } from "@/lib/api-client";
import { ErrorAlert } from "./alert";
import { Button } from "./controls";
import { Dialog } from "./dialog";

/**
 * The delete dialog of spec §8. Closes when `onDelete` resolves; stays and shows why when it rejects.
 * `label` names the record: its code or its name.
 */
export function ConfirmDelete({
  label,
  open,
  onClose,
  onDelete,
}: {
  label: string;
  open: boolean;
  onClose: () => void;
  onDelete: () => Promise<void>;
}) {
  const [busy, setBusy] = useState(false);
  const [messages, setMessages] = useState<string[]>([]);

  function close() {
    // The answer belongs to this record's dialog, not to the next one's.
    if (busy) return;
    setMessages([]);
    onClose();
  }

  async function remove() {
    setBusy(true);
    setMessages([]);
    try {
      await onDelete();
      onClose();
    } catch (error) {
      setMessages(messagesOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog
      open={open}
      onClose={close}
      title={`Delete ${label}`}
      description={`Are you sure you want to delete ${label}`}
      footer={
        <>
          <Button onClick={close} disabled={busy}>
            Close
          </Button>
          <Button variant="danger" busy={busy} onClick={remove}>
            Delete
          </Button>
        </>
      }
    >
      <ErrorAlert messages={messages} />
    </Dialog>
  );
}
