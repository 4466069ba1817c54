"use client";

import { FormProvider, useForm } from "react-hook-form";
import { landingOf } from "@/components/shell/menu";
import { ErrorAlert } from "@/components/ui/alert";
import { Button } from "@/components/ui/controls";
import { FormBody } from "@/components/ui/form-body";
import { Link } from "@/components/ui/link";
import { schemaResolver } from "@/components/ui/resolver";
import { applyServerErrors } from "@/components/ui/server-errors";
import { loginSchema, returnPath } from "@/lib/accounts/schema";
import { call } from "@/lib/api/client";
import { CredentialFields } from "./credential-fields";
import { useFailure } from "./hooks";
import { announce } from "./session-store";

/** Sign-in. `failure` stands there from the start; `url` is where the user was going. */
export function LoginForm({ failure, url }: { failure: string | null; url: string | null }) {
  const form = useForm({
    mode: "onBlur",
    resolver: schemaResolver(loginSchema),
    defaultValues: { email: "", password: "" },
  });
  const { messages, run } = useFailure(failure ? [failure] : null);

  const signIn = form.handleSubmit((login) =>
    run(
      async () => {
        const user = await call("POST /api/login", { body: { login } });
        announce("signed-in");
        // A full load: the new session begins with nothing of the former one in memory.
        window.location.assign(returnPath(url) ?? landingOf(user).href);
        // Busy until the next page is there.
        await new Promise(() => {});
      },
      (error) => applyServerErrors(form, error, "login"),
    ),
  );

  return (
    <FormProvider {...form}>
      <form method="post" className="stack" noValidate onSubmit={signIn}>
        <FormBody begins>
          <ErrorAlert messages={messages} />
          <CredentialFields />
          <Button type="submit" variant="primary" busy={form.formState.isSubmitting}>
            Sign In
          </Button>
          <Link href="/forgot_password" className="link self-start">
            Forgot Password
          </Link>
        </FormBody>
      </form>
    </FormProvider>
  );
}
