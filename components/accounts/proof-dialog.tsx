"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";
import { FormProvider, useForm } from "react-hook-form";
import { whenProved } from "@/components/shell/session";
import { ErrorAlert } from "@/components/ui/alert";
import { Button } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { lazyResolver } from "@/components/ui/lazy-resolver";
import { TextField } from "@/components/ui/text-fields";
import { useFailure } from "@/components/ui/use-failure";
import { call, messagesOf, setProve } from "@/lib/api/client";
import { signOnPath } from "@/lib/auth/sign-on/words";
import { CodeField } from "./code-field";
import { useSecondStep } from "./use-second-step";

/**
 * Rendered once in the signed-in layout: asks for the password when a call needs a recent proof (contract §8). In a
 * session of single sign-on, which `signOn` names, it asks to sign in there anew.
 */
export function ProofDialog({ signOn }: { signOn: string | null }) {
  const [open, setOpen] = useState(false);
  const answer = useRef<(proven: boolean) => void>(() => {});

  useEffect(() => {
    setProve(() => {
      answer.current(false);
      setOpen(true);
      return new Promise((resolve) => {
        answer.current = resolve;
      });
    });
    return () => setProve(null);
  }, []);

  function close(proven: boolean) {
    setOpen(false);
    answer.current(proven);
  }

  if (!open) return null;
  return signOn ? <AskingThere signOn={signOn} onClose={close} /> : <Asking onClose={close} />;
}

/** In a tab of its own, so that what was entered here stays. */
function AskingThere({ signOn, onClose }: { signOn: string; onClose: (proven: boolean) => void }) {
  const prove = useEffectEvent(() => onClose(true));
  useEffect(() => whenProved(prove), []);
  return (
    <Dialog
      open
      onClose={() => onClose(false)}
      title="Please confirm that it is you"
      description={`This is sensitive, so please sign in with ${signOn} once more. It opens in a new tab; what you entered stays here.`}
      footer={
        <>
          <Button onClick={() => onClose(false)}>Cancel</Button>
          <Button variant="primary" onClick={() => window.open(signOnPath("proof"), "_blank")}>
            Sign in with {signOn}
          </Button>
        </>
      }
    >
      {null}
    </Dialog>
  );
}

function Asking({ onClose }: { onClose: (proven: boolean) => void }) {
  const [resolver] = useState(() =>
    lazyResolver(async () => {
      const [{ z }, { proofSchema }] = await Promise.all([import("zod"), import("@/lib/accounts/schema")]);
      // The page behind may have fields of these names too, and ids must be unique.
      return z.object({ proof: proofSchema });
    }),
  );
  const form = useForm({
    mode: "onBlur",
    resolver,
    defaultValues: { proof: { password: "", otp: "" } },
  });
  const { messages, run } = useFailure();
  const code = useSecondStep();

  const prove = form.handleSubmit(({ proof: body }) =>
    run(
      async () => {
        await call("POST /api/session/proof", { body });
        onClose(true);
      },
      (error) => {
        form.resetField("proof.otp");
        const lines = code.explain(error, body.otp);
        if (!lines) form.resetField("proof.password");
        return lines ?? messagesOf(error);
      },
    ),
  );

  return (
    <Dialog
      open
      onClose={() => onClose(false)}
      title="Please enter your password"
      description="This is sensitive, so it needs your password once more. What you entered stays here."
      footer={
        <>
          <Button onClick={() => onClose(false)}>Cancel</Button>
          <Button variant="primary" type="submit" form="proof" busy={form.formState.isSubmitting}>
            Confirm
          </Button>
        </>
      }
    >
      <FormProvider {...form}>
        <form
          id="proof"
          method="post"
          className="stack"
          noValidate
          onSubmit={(event) => {
            // A dialog's events reach the form that it was opened from, though not in the page.
            event.stopPropagation();
            return prove(event);
          }}
        >
          <ErrorAlert messages={messages} />
          <TextField
            name="proof.password"
            label="Password"
            type="password"
            autoComplete="current-password"
            required
          />
          {code.asked && <CodeField path="proof." recovery />}
        </form>
      </FormProvider>
    </Dialog>
  );
}
