"use client";

import { useState } from "react";
import { Outcome } from "@/components/identity/outcome";
import { ErrorAlert } from "@/components/ui/alert";
import { Button } from "@/components/ui/controls";
import { useFailure } from "@/components/ui/use-failure";
import { call } from "@/lib/core/api/client";
import { to } from "@/lib/core/pages";

/** Returns a button that requests a new mail in place of a link that no longer works, and true once it was pressed. */
export function useNewLink(token: string) {
  const [isSent, setSent] = useState(false);
  const { messages, busy, run } = useFailure();
  const send = () =>
    run(async () => {
      await call("POST /api/account/new_link", { body: { token } });
      setSent(true);
    });
  return {
    isSent,
    button: (
      <>
        <ErrorAlert messages={messages} />
        <Button busy={busy} onClick={send}>
          Send a new link
        </Button>
      </>
    ),
  };
}

/** The confirmation, which is the same for every link. */
export const NewLinkSent = () => (
  <Outcome href={to("login")} action="Go to Login">
    If your link has expired, we sent you a new one by email.
  </Outcome>
);
