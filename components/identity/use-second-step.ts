import { useCallback, useState } from "react";
import { isCode, messagesOf } from "@/lib/core/api/client";

const WRONG_CODE =
  "That code did not work. Each code works once and for about a minute. Please enter the newest one.";

/**
 * The second step of a sign-in. `isAsked` is true if the account needs a code and the form shows its field. `explain`
 * returns the messages for a failure of the code, null for any other failure. `refused` returns messages for any
 * failure and clears the code. It clears the password too, unless only the code was wrong.
 */
export function useSecondStep() {
  const [isAsked, setAsked] = useState(false);
  const explain = useCallback((error: unknown, typed: string | null | undefined): string[] | null => {
    if (!isCode(error, "code_needed")) return null;
    setAsked(true);
    return typed ? [WRONG_CODE] : [];
  }, []);
  const refused = (
    error: unknown,
    typed: string | null | undefined,
    clear: (field: "otp" | "password") => void,
  ): string[] => {
    clear("otp");
    const lines = explain(error, typed);
    if (!lines) clear("password");
    return lines ?? messagesOf(error);
  };
  return { isAsked, explain, refused };
}
