"use client";

import { FormProvider, useForm } from "react-hook-form";
import * as z from "zod/mini";
import { ErrorAlert } from "@/components/ui/alert";
import { Button } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { schemaResolver } from "@/components/ui/resolver";
import { TextField } from "@/components/ui/text-fields";
import { useFailure } from "@/components/ui/use-failure";
import { call } from "@/lib/core/api/client";
import { proofSchema } from "@/lib/identity/schema";
import { USER_LABELS } from "@/lib/identity/words";
import { CodeField } from "./code-field";
import { useSecondStep } from "./use-second-step";

// The page behind may have fields with the same names, and ids must be unique.
const schema = z.object({ proof: proofSchema });

/** The form of the proof dialog: the password, and a code if the account has two-step sign-in. */
export function AskPassword({ onClose }: { onClose: (proven: boolean) => void }) {
  const form = useForm({
    mode: "onBlur",
    resolver: schemaResolver(schema),
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
      (error) => code.refused(error, body.otp, (field) => form.resetField(`proof.${field}`)),
    ),
  );

  return (
    <Dialog
      open
      onClose={() => onClose(false)}
      title="Please enter your password"
      description="This action is sensitive, so it requires your password again. What you entered stays here."
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
            // React events of a dialog bubble to the form that opened it, wherever the dialog is in the DOM.
            event.stopPropagation();
            return prove(event);
          }}
        >
          <ErrorAlert messages={messages} />
          <TextField
            name="proof.password"
            label={USER_LABELS.password}
            type="password"
            autoComplete="current-password"
            required
          />
          {code.isAsked && <CodeField path="proof." recovery />}
        </form>
      </FormProvider>
    </Dialog>
  );
}
