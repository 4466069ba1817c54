"use client";

import { useRef, useState } from "react";
import { messagesOf } from "@/lib/core/api/client";
import { Button } from "./controls";
import { Dialog } from "./dialog";
import { useNotify } from "./notifications";

/**
 * Asks for confirmation before a record is deleted. It closes when `onDelete` settles; a failure is shown in the
 * notification area. `label` names the record: its code or its name.
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
  const notify = useNotify();
  const [busy, setBusy] = useState(false);
  /** The number of times the dialog was opened: a late response must not close the dialog of the next record. */
  const turn = useRef(0);

  function close() {
    turn.current += 1;
    setBusy(false);
    onClose();
  }

  async function remove() {
    const mine = turn.current;
    setBusy(true);
    await onDelete().catch((error) => notify.error([`Could not delete ${label}.`, ...messagesOf(error)]));
    if (mine === turn.current) close();
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
    />
  );
}
