"use client";

import { useState } from "react";
import { FormProvider, useForm, useWatch } from "react-hook-form";
import { ErrorAlert } from "@/components/ui/alert";
import { Button } from "@/components/ui/controls";
import { FormBody } from "@/components/ui/form-body";
import { Notice } from "@/components/ui/notice";
import { schemaResolver } from "@/components/ui/resolver";
import { applyServerErrors } from "@/components/ui/server-errors";
import { TextField } from "@/components/ui/text-fields";
import { useFailure } from "@/components/ui/use-failure";
import { ApiError, call } from "@/lib/core/api/client";
import { to } from "@/lib/core/pages";
import { newPasswordSchema, refusingOwnName } from "@/lib/identity/schema";
import { USER_LABELS } from "@/lib/identity/words";
import { keepEmail } from "./first-sign-in";
import { NewLinkSent, useNewLink } from "./new-link";
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
  const [isRefused, setIsRefused] = useState(policy.owner === null);
  const newLink = useNewLink(token);

  const submit = form.handleSubmit((values) =>
    run(
      async () => {
        await call("PUT /api/forgot_password", { body: { token, ...values } });
        if (policy.owner) keepEmail(policy.owner.email);
        setIsDone(true);
      },
      (error) => {
        setIsRefused(error instanceof ApiError && "token" in error.fields);
        return applyServerErrors(form, error);
      },
    ),
  );

  if (newLink.isSent) return <NewLinkSent />;
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
          {isRefused && (
            <Notice title="This link no longer works">
              <p>A link works once, and only for a limited time.</p>
              {newLink.button}
            </Notice>
          )}
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
