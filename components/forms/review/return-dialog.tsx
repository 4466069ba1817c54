"use client";

import { type ReturnedForm, UNSENT_COMMENT, useReturn } from "@/components/forms/review/use-return";
import { ErrorAlert } from "@/components/ui/alert";
import { CommentBox } from "@/components/ui/comment-box";
import { Button } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";

/** Returns a form to its advocate with a comment. The typed comment stays if that fails or the dialog is closed. */
export function ReturnDialog({
  form,
  open,
  onClose,
  onReturned,
}: {
  form: ReturnedForm;
  open: boolean;
  onClose: () => void;
  onReturned: () => void;
}) {
  const { comment, setComment, messages, busy, giveBack } = useReturn(form, () => {
    onClose();
    onReturned();
  });

  return (
    <>
      <Dialog
        open={open}
        onClose={onClose}
        title={`Return to ${form.advocate}`}
        description="The form stays above their forms list, with your comment, until they save a change."
        footer={
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button variant="primary" busy={busy} onClick={giveBack}>
              Return
            </Button>
          </>
        }
      >
        <ErrorAlert messages={messages} />
        <CommentBox label="Comment" rows={4} value={comment} onChange={setComment} />
      </Dialog>
      <UnsavedGuard unsaved={comment.trim() !== ""} description={UNSENT_COMMENT} />
    </>
  );
}
