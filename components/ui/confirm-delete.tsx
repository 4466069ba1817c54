"use client";

import { useRef, useState } from "react";
import { messagesOf } from "@/lib/api/client";
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

  /** Counts what the dialog was opened for: an answer that comes after it was closed is not the next record's. */
  const turn = useRef(0);

  function close() {
    turn.current += 1;
    setBusy(false);
    setMessages([]);
    onClose();
  }

  async function remove() {
    const mine = turn.current;
    setBusy(true);
    setMessages([]);
    try {
      await onDelete();
      if (mine === turn.current) close();
    } catch (error) {
      if (mine !== turn.current) return;
      setMessages(messagesOf(error));
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
          <Button onClick={close}>Close</Button>
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
