"use client";

import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { FormProvider, useForm } from "react-hook-form";
import { z } from "zod";
import { Wordmark } from "@/components/shell/brand";
import { landingOf } from "@/components/shell/menu";
import { ErrorAlert } from "@/components/ui/alert";
import { Button } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { schemaResolver } from "@/components/ui/resolver";
import { loginSchema } from "@/lib/accounts/schema";
import { call, messagesOf } from "@/lib/api/client";
import type { SessionUser } from "@/lib/auth/permissions";
import { CredentialFields } from "./credential-fields";
import { useFailure } from "./hooks";
import {
  leave,
  type SessionPhase,
  signedInAgain,
  staySignedIn,
  useSessionPhase,
  watchSession,
} from "./session-store";

type User = Pick<SessionUser, "userId" | "email">;

/**
 * Rendered once in the signed-in layout. Warns before the session ends; after that it covers the page until the same
 * user has signed in again.
 */
export function SessionGuard({ userId, email }: User) {
  const phase = useSessionPhase();
  useEffect(() => watchSession(userId), [userId]);

  if (phase.kind === "warning") return <Warning key={phase.endsAt} userId={userId} {...phase} />;
  if (phase.kind === "locked")
    return createPortal(<LockScreen userId={userId} email={email} {...phase} />, document.body);
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

  const stay = () => run(() => staySignedIn(userId), messagesOf);
  const goOn = extendable ? stay : () => setDismissed(true);
  return (
    <Dialog
      open={!dismissed}
      onClose={goOn}
      title="Your session is about to end"
      description={
        extendable
          ? "You have not done anything here for a while. What you typed stays on this page, but you will have to sign in again."
          : "You have been signed in for the longest time allowed. What you typed stays on this page, but you will have to sign in again."
      }
      footer={
        <Button variant="primary" onClick={goOn}>
          {extendable ? "Stay signed in" : "Go on"}
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

const reasons = {
  ended: {
    title: "Your session has ended",
    text: "Sign in again to go on where you were. What you typed is still here.",
  },
  hidden: {
    title: "Screen hidden",
    text: "Sign in again to go on where you were. What you typed is still here.",
  },
};

// The covered page may have fields named email and password too, and ids must be unique.
const lockSchema = z.object({ lock: loginSchema });

/**
 * A native modal dialog: it covers everything and makes everything else inert, including other dialogs. The rest of the
 * page is also hidden from the screen and from printing, whichever library rendered it.
 */
function LockScreen({ userId, email, reason }: Extract<SessionPhase, { kind: "locked" }> & User) {
  const dialog = useRef<HTMLDialogElement>(null);
  const form = useForm({
    mode: "onBlur",
    resolver: schemaResolver(lockSchema),
    defaultValues: { lock: { email, password: "" } },
  });
  const { messages, run } = useFailure();
  const { title, text } = reasons[reason];
  // Read before the page is hidden, which loses the focus and the scroll position.
  const [before] = useState(() => ({ focused: document.activeElement, top: window.scrollY }));

  useEffect(() => {
    dialog.current?.showModal();
    form.setFocus("lock.password");
    return () => {
      window.scrollTo({ top: before.top, behavior: "instant" });
      if (before.focused instanceof HTMLElement) before.focused.focus({ preventScroll: true });
    };
  }, [form.setFocus, before]);

  const signIn = form.handleSubmit(({ lock: login }) =>
    run(
      async () => {
        const user = await call("POST /api/login", { body: { login } });
        if (user.userId === userId) signedInAgain(userId);
        else leave(landingOf(user).href);
      },
      (error) => {
        form.resetField("lock.password");
        return messagesOf(error);
      },
    ),
  );

  return (
    <dialog
      ref={dialog}
      data-session-lock=""
      aria-labelledby="session-lock-title"
      className="pointer-events-auto m-0 h-dvh max-h-none w-screen max-w-none overflow-y-auto bg-canvas text-ink"
      onCancel={(event) => event.preventDefault()}
      // Browsers close even a modal dialog when Escape is pressed twice.
      onClose={() => dialog.current?.showModal()}
      // The page's shortcuts must not work for whoever sits here now.
      onKeyDown={(event) => event.nativeEvent.stopPropagation()}
    >
      <style>{"body > :not([data-session-lock]) { display: none !important; }"}</style>
      <div className="mx-auto flex min-h-full w-full max-w-md flex-col justify-center gap-6 px-4 py-10">
        <Wordmark />
        <div className="card stack p-6">
          <h1 id="session-lock-title" className="font-semibold text-xl">
            {title}
          </h1>
          <p>{text}</p>
          <FormProvider {...form}>
            <form method="post" className="stack" noValidate onSubmit={signIn}>
              <ErrorAlert messages={messages} />
              <CredentialFields path="lock." known />
              <Button type="submit" variant="primary" busy={form.formState.isSubmitting}>
                Sign In
              </Button>
            </form>
          </FormProvider>
          <Button variant="ghost" onClick={() => leave("/")}>
            Not you? Leave this page
          </Button>
        </div>
      </div>
    </dialog>
  );
}
