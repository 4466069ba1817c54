"use client";

import { useEffect, useRef } from "react";
import { FormProvider, useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Wordmark } from "@/components/shell/brand";
import { landingOf } from "@/components/shell/menu";
import { leave, signedInAgain } from "@/components/shell/session";
import { ErrorAlert } from "@/components/ui/alert";
import { Button } from "@/components/ui/controls";
import { schemaResolver } from "@/components/ui/resolver";
import { useFailure } from "@/components/ui/use-failure";
import type { SessionUser } from "@/lib/core/access/permissions";
import { call, UNAUTHORIZED } from "@/lib/core/api/client";
import { loginSchema } from "@/lib/identity/schema";
import { signOnPath } from "@/lib/identity/sign-on/words";
import { CodeField } from "./code-field";
import { CredentialFields } from "./credential-fields";
import { useSecondStep } from "./use-second-step";

const reasons = {
  ended: {
    title: "Your session has ended",
    text: "Sign in again to continue where you were. What you typed is still here.",
  },
  // Names neither the product nor its user, in case someone looks over the shoulder.
  hidden: { title: "Locked", text: null },
};

// The covered page may also have fields named email and password, and ids must be unique.
const lockSchema = z.object({ lock: loginSchema });

/**
 * A native modal dialog: it covers everything and makes everything else inert, including other dialogs. The rest of the
 * page is also hidden from the screen and from printing, whichever library rendered it.
 */
export function LockScreen({
  userId,
  email,
  signOn,
  reason,
  before,
}: Pick<SessionUser, "userId" | "email"> & {
  signOn: string | null;
  reason: keyof typeof reasons;
  /** The focused element and the scroll position of the page, which are lost when it is hidden. */
  before: { focused: Element | null; top: number };
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  /** The control of the dialog that had the focus last. */
  const focused = useRef<HTMLElement | null>(null);
  const form = useForm({
    mode: "onBlur",
    resolver: schemaResolver(lockSchema),
    defaultValues: { lock: { email, password: "", otp: "" } },
  });
  const { messages, run } = useFailure(reason === "ended" ? [UNAUTHORIZED] : null);
  const code = useSecondStep();
  const { title, text } = reasons[reason];
  const isHidden = reason === "hidden";

  useEffect(() => {
    if (!isHidden) return;
    const before = document.title;
    document.title = title;
    return () => {
      document.title = before;
    };
  }, [isHidden, title]);

  useEffect(() => {
    dialog.current?.showModal();
    // Focuses at once: the form's own setFocus waits for a timer, and typing until then would be lost.
    if (!signOn) dialog.current?.querySelector<HTMLElement>("[type=password]")?.focus();
    return () => {
      window.scrollTo({ top: before.top, behavior: "instant" });
      if (before.focused instanceof HTMLElement) before.focused.focus({ preventScroll: true });
    };
  }, [before, signOn]);

  const signIn = form.handleSubmit(({ lock: login }) =>
    run(
      async () => {
        const user = await call("POST /api/login", { body: { login } });
        if (user.userId === userId) signedInAgain(userId);
        else leave(landingOf(user).href);
      },
      (error) => code.refused(error, login.otp, (field) => form.resetField(`lock.${field}`)),
    ),
  );

  return (
    <dialog
      ref={dialog}
      data-session-lock=""
      aria-labelledby="session-lock-title"
      className="pointer-events-auto m-0 h-dvh max-h-none w-screen max-w-none overflow-y-auto bg-canvas text-ink"
      onCancel={(event) => event.preventDefault()}
      // Browsers close even a modal dialog when Escape is pressed twice. In Firefox, the presses that hide the screen count.
      onClose={() => {
        const last = focused.current;
        dialog.current?.showModal();
        last?.focus();
      }}
      onFocus={({ target }) => {
        focused.current = target;
      }}
      // The page's shortcuts must not work for anyone else at this computer.
      onKeyDown={(event) => event.nativeEvent.stopPropagation()}
    >
      <div className="mx-auto flex min-h-full w-full max-w-md flex-col justify-center gap-6 px-4 py-10">
        {!isHidden && <Wordmark />}
        <div className="card stack p-6">
          <h1 id="session-lock-title" className="font-semibold text-xl">
            {title}
          </h1>
          {text && <p>{text}</p>}
          {signOn ? (
            // Opens another tab, which notifies this one: unsaved values exist only here.
            <Button variant="primary" onClick={() => window.open(signOnPath("again"), "_blank")}>
              Sign in with {signOn}
            </Button>
          ) : (
            <FormProvider {...form}>
              <form method="post" className="stack" noValidate onSubmit={signIn}>
                <ErrorAlert messages={messages} />
                <CredentialFields path="lock." known={isHidden ? "concealed" : "shown"} />
                {code.isAsked && <CodeField path="lock." recovery />}
                <Button type="submit" variant="primary" busy={form.formState.isSubmitting}>
                  Sign In
                </Button>
              </form>
            </FormProvider>
          )}
          <Button variant="ghost" onClick={() => leave("/")}>
            Not you? Leave this page
          </Button>
        </div>
      </div>
    </dialog>
  );
}
