"use client";

import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { type SessionPhase, staySignedIn, useSessionPhase, watchSession } from "@/components/shell/session";
import { ErrorAlert } from "@/components/ui/alert";
import { Button } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { loadable, useLoadable } from "@/components/ui/loadable";
import { useFailure } from "@/components/ui/use-failure";
import type { SessionUser } from "@/lib/core/access/permissions";

const lock = loadable(async () => (await import("./session-lock")).LockScreen);

type User = Pick<SessionUser, "userId" | "email"> & {
  /** The name of the single sign-on that opened the session; null for a password. */
  signOn: string | null;
};

/**
 * Rendered once in the signed-in layout. Warns before the session ends; after that it covers the page until the same
 * user has signed in again.
 */
export function SessionGuard({ userId, ...user }: User) {
  const phase = useSessionPhase();
  useEffect(() => watchSession(userId), [userId]);

  if (phase.kind === "warning") return <Warning key={phase.endsAt} userId={userId} {...phase} />;
  if (phase.kind === "locked")
    return createPortal(<Covered userId={userId} {...user} {...phase} />, document.body);
  return null;
}

const minutesAndSeconds = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

function Warning({
  userId,
  endsAt,
  extendable,
}: Extract<SessionPhase, { kind: "warning" }> & Pick<User, "userId">) {
  const [now, setNow] = useState(Date.now);
  const [dismissed, setDismissed] = useState(false);
  const { messages, run } = useFailure();
  useEffect(() => {
    const interval = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(interval);
  }, []);

  const stay = () => run(() => staySignedIn(userId));
  const goOn = extendable ? stay : () => setDismissed(true);
  return (
    <Dialog
      open={!dismissed}
      onClose={goOn}
      title="Your session is about to end"
      description={
        extendable
          ? "You have been inactive for a while. What you typed stays on this page, but you will have to sign in again."
          : "You have reached the maximum time for one sign-in. What you typed stays on this page, but you will have to sign in again."
      }
      footer={
        <Button variant="primary" onClick={goOn}>
          {extendable ? "Stay signed in" : "Continue"}
        </Button>
      }
    >
      <p role="timer" className="font-semibold text-2xl tabular-nums">
        {minutesAndSeconds(Math.max(0, Math.ceil((endsAt - now) / 1000)))}
      </p>
      <ErrorAlert messages={messages} />
    </Dialog>
  );
}

/**
 * Hides the whole page on screen and in print, including elements of other libraries. It takes effect at once, even
 * while the lock is loading.
 */
function Covered(props: Extract<SessionPhase, { kind: "locked" }> & User) {
  const LockScreen = useLoadable(lock);
  const [before] = useState(() => ({ focused: document.activeElement, top: window.scrollY }));
  return (
    <>
      <style>{"body > :not([data-session-lock]) { display: none !important; }"}</style>
      {LockScreen && <LockScreen before={before} {...props} />}
    </>
  );
}
