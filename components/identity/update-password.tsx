"use client";

import { useState } from "react";
import { FormProvider, useForm, useWatch } from "react-hook-form";
import { ErrorAlert } from "@/components/ui/alert";
import { Button } from "@/components/ui/controls";
import { FormBody } from "@/components/ui/form-body";
import { schemaResolver } from "@/components/ui/resolver";
import { applyServerErrors } from "@/components/ui/server-errors";
import { TextField } from "@/components/ui/text-fields";
import { useFailure } from "@/components/ui/use-failure";
import { call } from "@/lib/core/api/client";
import { to } from "@/lib/core/pages";
import { newPasswordSchema, refusingOwnName } from "@/lib/identity/schema";
import { USER_LABELS } from "@/lib/identity/words";
import { Outcome } from "./outcome";
import { PasswordChecklist, type PasswordPolicy } from "./password-checklist";

/** Sets a new password with the token of a mailed link. */
export function UpdatePassword({ token, policy }: { token: string; policy: PasswordPolicy }) {
  const form = useForm({
    mode: "onBlur",
    resolver: schemaResolver(
      policy.refuseCommon ? refusingOwnName(newPasswordSchema, () => policy.owner) : newPasswordSchema,
    ),
    defaultValues: { password: "", passwordConfirmation: "" },
  });
  const [password, passwordConfirmation] = useWatch({
    control: form.control,
    name: ["password", "passwordConfirmation"],
  });
  const { messages, run } = useFailure();
  const [isDone, setIsDone] = useState(false);

  const submit = form.handleSubmit((values) =>
    run(
      async () => {
        await call("PUT /api/forgot_password", { body: { token, ...values } });
        setIsDone(true);
      },
      (error) => applyServerErrors(form, error),
    ),
  );

  if (isDone) {
    return (
      <Outcome href={to("login")} action="Go to Login">
        Your password has been updated
      </Outcome>
    );
  }
  return (
    <FormProvider {...form}>
      <form method="post" className="stack" noValidate onSubmit={submit}>
        <FormBody begins>
          <ErrorAlert messages={messages} />
          <TextField
            name="password"
            label={USER_LABELS.newPassword}
            type="password"
            autoComplete="new-password"
            required
            onValueChange={() => revalidate("passwordConfirmation")}
          />
          <TextField
            name="passwordConfirmation"
            label={USER_LABELS.passwordConfirmation}
            type="password"
            autoComplete="new-password"
            required
          />
          <PasswordChecklist password={password} confirmation={passwordConfirmation ?? ""} policy={policy} />
          <Button type="submit" variant="primary" busy={form.formState.isSubmitting}>
            Update Password
          </Button>
        </FormBody>
      </form>
    </FormProvider>
  );

  /** The error of the confirmation also depends on the password. */
  function revalidate(name: "passwordConfirmation") {
    if (form.getFieldState(name).error) void form.trigger(name);
  }
}
