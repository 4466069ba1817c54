"use client";

import { useEffect } from "react";
import { FormProvider, useForm } from "react-hook-form";
import { announce, loadSession } from "@/components/shell/session";
import { ErrorAlert } from "@/components/ui/alert";
import { Button } from "@/components/ui/controls";
import { FormBody } from "@/components/ui/form-body";
import { useHydrated } from "@/components/ui/hydrated";
import { lazyResolver } from "@/components/ui/lazy-resolver";
import { Link } from "@/components/ui/link";
import { applyServerErrors } from "@/components/ui/server-errors";
import { useFailure } from "@/components/ui/use-failure";
import { call } from "@/lib/core/api/client";
import { to } from "@/lib/core/pages";
import { returnPath } from "@/lib/identity/return-path";
import { CodeField } from "./code-field";
import { CredentialFields } from "./credential-fields";
import { takeEmail, takeNewAccount } from "./first-sign-in";
import { useSecondStep } from "./use-second-step";

const resolver = lazyResolver(async () => (await import("@/lib/identity/schema")).loginSchema);

/**
 * The sign-in form. `failure` is an initial message; `url` is the requested page. The email of an account whose password was
 * just set in this tab is filled in, and the first sign-in of an account leads to Home.
 */
export function LoginForm({ failure, url }: { failure: string | null; url: string | null }) {
  const form = useForm({
    mode: "onBlur",
    resolver,
    defaultValues: { email: "", password: "", otp: "" },
  });
  const { setValue, setFocus } = form;
  const hydrated = useHydrated();
  useEffect(() => {
    const email = hydrated ? takeEmail() : null;
    if (email === null) return;
    setValue("email", email);
    setFocus("password");
  }, [hydrated, setValue, setFocus]);
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
        const first = takeNewAccount() ? to("home") : beginning(session ?? user);
        window.location.assign(returnPath(url) ?? first);
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
          <Link href={to("forgotPassword")} className="link touch-link self-start">
            Forgot Password
          </Link>
        </FormBody>
      </form>
    </FormProvider>
  );
}
