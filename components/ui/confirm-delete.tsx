"use client";

import { useState } from "react";
import { messagesOf } from "@/lib/core/api/client";
import { Button } from "./controls";
import { Dialog } from "./dialog";
import { useNotify } from "./notifications";

/**
 * Asks for confirmation before a record is deleted. It closes when `onDelete` settles; a failure is shown in the
 * notification area. `label` names the record: its code or its name. `details` state what is removed with it.
 */
export function ConfirmDelete({
  label,
  details,
  open,
  onClose,
  onDelete,
}: {
  label: string;
  details?: string | null;
  open: boolean;
  onClose: () => void;
  onDelete: () => Promise<void>;
}) {
  const notify = useNotify();
  const [busy, setBusy] = useState(false);

  async function remove() {
    setBusy(true);
    await onDelete().catch((error) => notify.error([`Could not delete ${label}.`, ...messagesOf(error)]));
    setBusy(false);
    onClose();
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Delete ${label}`}
      description={`Are you sure you want to delete ${label}`}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button variant="danger" busy={busy} onClick={remove}>
            Delete
          </Button>
        </>
      }
    >
      {details && <p>{details}</p>}
    </Dialog>
  );
}
