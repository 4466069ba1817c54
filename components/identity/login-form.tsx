"use client";

import { FormProvider, useForm } from "react-hook-form";
import { announce, loadSession } from "@/components/shell/session";
import { ErrorAlert } from "@/components/ui/alert";
import { Button } from "@/components/ui/controls";
import { FormBody } from "@/components/ui/form-body";
import { lazyResolver } from "@/components/ui/lazy-resolver";
import { Link } from "@/components/ui/link";
import { applyServerErrors } from "@/components/ui/server-errors";
import { useFailure } from "@/components/ui/use-failure";
import { call } from "@/lib/core/api/client";
import { to } from "@/lib/core/pages";
import { returnPath } from "@/lib/identity/return-path";
import { CodeField } from "./code-field";
import { CredentialFields } from "./credential-fields";
import { useSecondStep } from "./use-second-step";

const resolver = lazyResolver(async () => (await import("@/lib/identity/schema")).loginSchema);

/** The sign-in form. `failure` is an initial message; `url` is the requested page. */
export function LoginForm({ failure, url }: { failure: string | null; url: string | null }) {
  const form = useForm({
    mode: "onBlur",
    resolver,
    defaultValues: { email: "", password: "", otp: "" },
  });
  const { messages, run } = useFailure(failure ? [failure] : null);
  const code = useSecondStep();

  const signIn = form.handleSubmit((login) =>
    run(
      async () => {
        const user = await call("POST /api/login", { body: { login } });
        announce("signed-in");
        const session = await loadSession();
        // Loads the whole page, which clears the previous session from memory.
        const { beginning } = await import("@/components/shell/landing");
        window.location.assign(returnPath(url) ?? beginning(session ?? user));
        // Stays busy until the next page has loaded.
        await new Promise(() => {});
      },
      (error) => {
        form.resetField("otp");
        return code.explain(error, login.otp) ?? applyServerErrors(form, error, "login");
      },
    ),
  );

  return (
    <FormProvider {...form}>
      <form method="post" className="stack" noValidate onSubmit={signIn}>
        <FormBody begins>
          <ErrorAlert messages={messages} />
          <CredentialFields />
          {code.isAsked && <CodeField recovery />}
          <Button type="submit" variant="primary" busy={form.formState.isSubmitting}>
            Sign In
          </Button>
          <Link href={to("forgotPassword")} className="link self-start">
            Forgot Password
          </Link>
        </FormBody>
      </form>
    </FormProvider>
  );
}
