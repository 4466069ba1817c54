import { useState } from "react";
import { useNotify } from "@/components/ui/notifications";
import { useFailure } from "@/components/ui/use-failure";
import { call } from "@/lib/core/api/client";

/** Returns the comment of a return with its setter, and a function that sends it. If that fails, the comment stays. */
export function useReturn(id: number, advocate: string, onReturned: (comment: string) => void) {
  const notify = useNotify();
  const [comment, setComment] = useState("");
  const { messages, busy, run } = useFailure();
  const giveBack = () =>
    run(async () => {
      await call("POST /api/forms/{id}/return", { params: { id }, body: { comment } });
      notify.success(`Returned to ${advocate}`);
      setComment("");
      onReturned(comment);
    });
  return { comment, setComment, messages, busy, giveBack };
}
