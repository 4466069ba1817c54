"use client";

import type { ReactNode } from "react";
import { FormProvider, useForm } from "react-hook-form";
import { ErrorAlert } from "@/components/ui/alert";
import { Button } from "@/components/ui/controls";
import { FormBody } from "@/components/ui/form-body";
import { schemaResolver } from "@/components/ui/resolver";
import { applyServerErrors } from "@/components/ui/server-errors";
import { useFailure } from "@/components/ui/use-failure";
import { call } from "@/lib/core/api/client";
import { codeSchema } from "@/lib/identity/two-step/schema";
import { CodeField } from "./code-field";
import { useSecondStep } from "./use-second-step";

/**
 * A form for a code from the app being set up or, with `keepApp`, from the current one. `onDone` gets the new recovery
 * codes.
 */
export function EnterCode({
  action,
  keepApp = false,
  children,
  onCancel,
  onDone,
}: {
  action: string;
  keepApp?: boolean;
  children: ReactNode;
  onCancel: () => void;
  onDone: (recoveryCodes: string[]) => void;
}) {
  const form = useForm({
    mode: "onSubmit",
    resolver: schemaResolver(codeSchema),
    defaultValues: { otp: "" },
  });
  const { messages, run } = useFailure();
  const { explain } = useSecondStep();

  const confirm = form.handleSubmit((body) =>
    run(
      async () => onDone((await call("PUT /api/two_step", { body: { ...body, keepApp } })).recoveryCodes),
      (error) => {
        form.resetField("otp");
        return explain(error, body.otp) ?? applyServerErrors(form, error);
      },
    ),
  );

  return (
    <FormProvider {...form}>
      <form method="post" className="stack max-w-md" noValidate onSubmit={confirm}>
        <FormBody>
          <ErrorAlert messages={messages} />
          {children}
          <CodeField />
          <div className="form-actions">
            <Button onClick={onCancel}>Cancel</Button>
            <Button type="submit" variant="primary" busy={form.formState.isSubmitting}>
              {action}
            </Button>
          </div>
        </FormBody>
      </form>
    </FormProvider>
  );
}
