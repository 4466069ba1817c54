import { useRouter } from "next/navigation";
import { useState } from "react";
import { flushSync } from "react-dom";
import { useNotify } from "@/components/ui/notifications";
import { useFailure } from "@/components/ui/use-failure";
import { call, isCode } from "@/lib/core/api/client";

/** The words of the guard for a typed comment. */
export const UNSENT_COMMENT = "Your comment is not sent. It will be lost.";

/** A form to return, in the version that the reviewer has read. */
export type ReturnedForm = { id: number; lockVersion: number; advocate: string };

/**
 * Returns the comment of a return with its setter, and a function that sends it. If that fails, the comment stays. A form
 * that was changed meanwhile is shown as it is now.
 */
export function useReturn(
  { id, lockVersion, advocate }: ReturnedForm,
  onReturned: (comment: string) => void,
) {
  const router = useRouter();
  const notify = useNotify();
  const [comment, setComment] = useState("");
  const { messages, busy, run } = useFailure();
  const giveBack = () =>
    run(async () => {
      await call("POST /api/forms/{id}/return", { params: { id }, body: { comment, lockVersion } }).catch(
        (error: unknown) => {
          if (isCode(error, "conflict_version")) router.refresh();
          throw error;
        },
      );
      notify.success(`Returned to ${advocate}`);
      // `onReturned` may open another form, and the guard must not ask about the comment that was sent.
      flushSync(() => setComment(""));
      onReturned(comment);
    });
  return { comment, setComment, messages, busy, giveBack };
}
