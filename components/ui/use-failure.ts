import { useCallback, useState } from "react";
import { messagesOf } from "@/lib/core/api/client";

type Explain = (error: unknown) => string[];

/**
 * Returns true while an attempt is in progress, and a function that starts one. `onFailure` gets the messages of a
 * failed attempt.
 */
export function useAttempt(onFailure: (messages: string[]) => void) {
  const [busy, setBusy] = useState(false);
  const run = useCallback(
    async (attempt: () => Promise<void>, explain: Explain = messagesOf) => {
      setBusy(true);
      try {
        await attempt();
      } catch (error) {
        onFailure(explain(error));
      } finally {
        setBusy(false);
      }
    },
    [onFailure],
  );
  return { busy, run };
}

/** Works like `useAttempt`, but keeps the messages of the last attempt until the next one. */
export function useFailure(initial: string[] | null = null) {
  const [messages, setMessages] = useState(initial);
  const { busy, run: begin } = useAttempt(setMessages);
  const run = useCallback(
    (attempt: () => Promise<void>, explain?: Explain) => {
      setMessages(null);
      return begin(attempt, explain);
    },
    [begin],
  );
  return { messages, setMessages, busy, run };
}
