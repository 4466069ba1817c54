"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { ErrorAlert } from "@/components/ui/alert";
import { CommentBox } from "@/components/ui/comment-box";
import { Button } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { useNotify } from "@/components/ui/notifications";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { useFailure } from "@/components/ui/use-failure";
import { call } from "@/lib/core/api/client";

/**
 * Places a legal hold on a client, or lifts the current one. The typed reason stays if that fails or the dialog is
 * closed.
 */
export function HoldDialog({
  id,
  name,
  isHeld,
  open,
  onClose,
}: {
  id: number;
  name: string;
  isHeld: boolean;
  open: boolean;
  onClose: () => void;
}) {
  const router = useRouter();
  const notify = useNotify();
  const [reason, setReason] = useState("");
  const { messages, busy, run } = useFailure();

  const send = () =>
    run(async () => {
      const params = { id };
      if (isHeld) await call("DELETE /api/clients/{id}/hold", { params });
      else await call("PUT /api/clients/{id}/hold", { params, body: { hold: { reason } } });
      notify.success(isHeld ? "Lifted the legal hold" : "Placed the client under legal hold");
      setReason("");
      onClose();
      router.refresh();
    });

  return (
    <>
      <Dialog
        open={open}
        onClose={onClose}
        title={isHeld ? `Lift the legal hold on ${name}` : `Legal hold on ${name}`}
        description={
          isHeld
            ? "The client can then be removed, or purged when due. Lifting the hold is recorded."
            : "Until the hold is lifted, the client cannot be purged, and the client and their forms cannot be removed."
        }
        footer={
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button variant="primary" busy={busy} onClick={send}>
              {isHeld ? "Lift hold" : "Place hold"}
            </Button>
          </>
        }
      >
        <ErrorAlert messages={messages} />
        {!isHeld && <CommentBox label="Reason" rows={3} value={reason} onChange={setReason} />}
      </Dialog>
      <UnsavedGuard unsaved={reason.trim() !== ""} />
    </>
  );
}
