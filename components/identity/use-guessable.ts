import { useEffect, useState } from "react";
import { call } from "@/lib/core/api/client";
import { COMMON_PASSWORD, containsOwner, type PasswordOwner } from "@/lib/core/passwords/rules";

/** The pause in typing after which the server is asked. */
const DEBOUNCE_MS = 250;

/**
 * Returns the reason why a password is easy to guess, or null; undefined until the server has checked for common
 * passwords. If the server does not respond, only saving reveals it.
 */
export function useGuessable(password: string, owner: PasswordOwner | null): string | null | undefined {
  const [checked, setChecked] = useState<{ password: string; isCommon: boolean }>();
  useEffect(() => {
    if (password === "") return;
    const asking = new AbortController();
    const timer = setTimeout(() => {
      call("POST /api/password_check", { body: { password }, signal: asking.signal }).then(
        ({ isCommon }) => setChecked({ password, isCommon }),
        () => {},
      );
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [password]);
  if (password === "") return null;
  const ofOwner = containsOwner(password, owner);
  if (checked?.password !== password) return ofOwner ?? undefined;
  return checked.isCommon ? COMMON_PASSWORD : ofOwner;
}
