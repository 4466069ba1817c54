import { useCallback, useState } from "react";

/** The messages of the last attempt, and a function for another attempt, which clears them first. */
export function useFailure(initial: string[] | null = null) {
  const [messages, setMessages] = useState(initial);
  const run = useCallback(async (attempt: () => Promise<void>, explain: (error: unknown) => string[]) => {
    setMessages(null);
    try {
      await attempt();
    } catch (error) {
      setMessages(explain(error));
    }
  }, []);
  return { messages, run };
}
