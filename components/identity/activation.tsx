"use client";

import { useEffect, useState } from "react";
import { call } from "@/lib/core/api/client";
import { to } from "@/lib/core/pages";
import { keepNewAccount } from "./first-sign-in";
import { NewLinkSent, useNewLink } from "./new-link";
import { Outcome } from "./outcome";

// One request per link: a second one would invalidate the token that the first returned. React runs effects twice in
// development mode.
const calls = new Map<string, Promise<{ token: string }>>();

function activate(token: string): Promise<{ token: string }> {
  const request = calls.get(token) ?? call("GET /api/account/{token}/activate", { params: { token } });
  calls.set(token, request);
  return request;
}

/** Activates an account when the page of the mailed link opens. */
export function Activation({ token }: { token: string }) {
  const [state, setState] = useState<{ next: string } | "searching" | "failed">("searching");
  const newLink = useNewLink(token);

  useEffect(() => {
    activate(token).then(
      (response) => {
        keepNewAccount();
        setState({ next: response.token });
      },
      () => {
        calls.delete(token);
        setState("failed");
      },
    );
  }, [token]);

  if (state === "searching") return <p role="status">Searching for account ....</p>;
  if (newLink.isSent) return <NewLinkSent />;
  if (state === "failed") {
    return (
      <>
        <Outcome href={to("login")} action="Go to Login">
          Your account could not be activated. Please try clicking the link you received again.
        </Outcome>
        {newLink.button}
      </>
    );
  }
  return (
    <Outcome href={to("updatePassword", { token: state.next })} action="Set Password">
      Your account has been activated. Please set your password.
      <span className="mt-2 block font-semibold">You cannot sign in until you set a password.</span>
    </Outcome>
  );
}
