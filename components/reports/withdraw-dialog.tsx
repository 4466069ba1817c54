"use client";

import { useState } from "react";
import { flushSync } from "react-dom";
import { ErrorAlert } from "@/components/ui/alert";
import { CommentBox } from "@/components/ui/comment-box";
import { Button } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { useFailure } from "@/components/ui/use-failure";
import { call } from "@/lib/core/api/client";
import type { ReportKey } from "@/lib/reports/definitions";

/** Asks why a submission is withdrawn, and withdraws it. The typed reason stays if that fails. */
export function WithdrawDialog({
  report,
  id,
  onClose,
  onDone,
}: {
  report: ReportKey;
  /** The submission; null while the dialog is closed. */
  id: number | null;
  onClose: () => void;
  onDone: () => void;
}) {
  const [reason, setReason] = useState("");
  const { messages, busy, run } = useFailure();
  const withdraw = () =>
    run(async () => {
      if (id === null) return;
      await call("POST /api/reports/{key}/submissions/{id}/withdraw", {
        params: { key: report, id },
        body: { reason },
      });
      // The guard must not ask about the reason that was sent.
      flushSync(() => setReason(""));
      onDone();
    });
  return (
    <>
      <Dialog
        open={id !== null}
        onClose={onClose}
        title="Withdraw submission"
        description="It is kept, and shown as withdrawn with your reason. Do not name a client in it."
        footer={
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button variant="danger" busy={busy} onClick={withdraw}>
              Withdraw
            </Button>
          </>
        }
      >
        <ErrorAlert messages={messages} />
        <CommentBox label="Reason" rows={3} value={reason} onChange={setReason} />
      </Dialog>
      <UnsavedGuard unsaved={reason.trim() !== ""} description="Your reason is not sent. It will be lost." />
    </>
  );
}
