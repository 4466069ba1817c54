"use client";

import { useState } from "react";
import { FormProvider, useForm } from "react-hook-form";
import { ErrorAlert } from "@/components/ui/alert";
import { Button } from "@/components/ui/controls";
import { FormBody } from "@/components/ui/form-body";
import { Link } from "@/components/ui/link";
import { schemaResolver } from "@/components/ui/resolver";
import { applyServerErrors } from "@/components/ui/server-errors";
import { TextField } from "@/components/ui/text-fields";
import { useFailure } from "@/components/ui/use-failure";
import { call } from "@/lib/core/api/client";
import { to } from "@/lib/core/pages";
import { forgotPasswordSchema } from "@/lib/identity/schema";
import { USER_LABELS } from "@/lib/identity/words";
import { Outcome } from "./outcome";

/** Requests a reset link. The confirmation replaces the form. */
export function ForgotPassword() {
  const form = useForm({
    mode: "onBlur",
    resolver: schemaResolver(forgotPasswordSchema),
    defaultValues: { email: "" },
  });
  const { messages, run } = useFailure();
  const [isDone, setIsDone] = useState(false);

  const submit = form.handleSubmit((values) =>
    run(
      async () => {
        await call("POST /api/forgot_password", { body: values });
        setIsDone(true);
      },
      (error) => applyServerErrors(form, error),
    ),
  );

  if (isDone) {
    return (
      <Outcome href={to("login")} action="Go to Login">
        We sent you an email to confirm that you want to reset your password.
      </Outcome>
    );
  }
  return (
    <FormProvider {...form}>
      <form method="post" className="stack" noValidate onSubmit={submit}>
        <FormBody begins>
          <ErrorAlert messages={messages} />
          <TextField name="email" label={USER_LABELS.email} type="email" autoComplete="username" required />
          <Button type="submit" variant="primary" busy={form.formState.isSubmitting}>
            Reset Password
          </Button>
          <Link href={to("login")} className="link touch-link self-start">
            Login?
          </Link>
        </FormBody>
      </form>
    </FormProvider>
  );
}
