"use client";

import { useRouter } from "next/navigation";
import { useRef } from "react";
import { FormProvider, useWatch } from "react-hook-form";
import { useSentForm } from "@/components/record/use-record-form";
import { useBackOfStep } from "@/components/shell/set-up-page";
import { ErrorAlert } from "@/components/ui/alert";
import { Button } from "@/components/ui/controls";
import { FormBody } from "@/components/ui/form-body";
import { useNotify } from "@/components/ui/notifications";
import { schemaResolver } from "@/components/ui/resolver";
import { FieldGrid, Section } from "@/components/ui/section";
import { TextField } from "@/components/ui/text-fields";
import { forgetTyped } from "@/components/ui/unsaved";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { call } from "@/lib/core/api/client";
import type { Profile } from "@/lib/identity/api-schema";
import { type ProfileInput, profileSchema, refusingOwnName } from "@/lib/identity/schema";
import { USER_LABELS } from "@/lib/identity/words";
import { PasswordWarning } from "./password-checklist";

const valuesOf = ({ firstName, lastName, email, role }: Profile) => ({
  firstName,
  lastName,
  email,
  role: role.name,
  password: "",
  passwordConfirmation: "",
});

/** The user's name, email and, if `passwords` are in use, password. Only administrators change roles. */
export function ProfileForm({
  profile,
  passwords,
  refuseCommon,
}: {
  profile: Profile;
  passwords: boolean;
  refuseCommon: boolean;
}) {
  const { form, messages, sending, send } = useSentForm<ProfileInput, ProfileInput>({
    entity: "profile",
    values: valuesOf(profile),
    resolver: schemaResolver(
      refuseCommon ? refusingOwnName(profileSchema, (values) => values) : profileSchema,
    ),
  });
  const password = useWatch({ control: form.control, name: "password" });
  const notify = useNotify();
  const router = useRouter();
  const setUp = useBackOfStep(null);
  const element = useRef<HTMLFormElement>(null);

  function show(stored: Profile) {
    form.reset(valuesOf(stored));
    forgetTyped(element.current);
  }

  const save = form.handleSubmit(async ({ password, passwordConfirmation, ...values }) => {
    const chosen = password && passwordConfirmation ? { password, passwordConfirmation } : {};
    const body = { profile: { ...values, ...chosen } };
    const saved = await send(() => call("PUT /api/profile", { body }));
    if (!saved) return;
    show(saved.result.profile);
    notify.success("You have successfully updated your profile!");
    if (setUp !== null) router.push(setUp);
    // The header shows the name, and the session list no longer shows sessions that a new password ended.
    router.refresh();
  });

  async function reload() {
    const read = await send(() => call("GET /api/profile"));
    if (read) show(read.result.profile);
  }

  return (
    <FormProvider {...form}>
      <UnsavedGuard unsaved={form.formState.isDirty} />
      <form ref={element} method="post" className="stack" noValidate onSubmit={save}>
        <FormBody busy={sending}>
          <ErrorAlert messages={messages} />
          <Section title="Your details">
            <FieldGrid>
              <TextField
                name="firstName"
                label={USER_LABELS.firstName}
                autoCapitalize="words"
                autoComplete="given-name"
                required
              />
              <TextField
                name="lastName"
                label={USER_LABELS.lastName}
                autoCapitalize="words"
                autoComplete="family-name"
                required
              />
              <TextField
                name="email"
                label={USER_LABELS.email}
                type="email"
                autoComplete="username"
                required
              />
              <TextField name="role" label={USER_LABELS.role} readOnly />
              {passwords && (
                <>
                  <TextField
                    name="password"
                    label={USER_LABELS.newPassword}
                    type="password"
                    autoComplete="new-password"
                    hint="Only set password to change it."
                    onValueChange={() => {
                      const { isTouched, error } = form.getFieldState("passwordConfirmation");
                      if (isTouched || error) void form.trigger("passwordConfirmation");
                    }}
                  />
                  <TextField
                    name="passwordConfirmation"
                    label={USER_LABELS.passwordConfirmation}
                    type="password"
                    autoComplete="new-password"
                  />
                </>
              )}
            </FieldGrid>
            <PasswordWarning password={password} owner={form.getValues()} />
            <div className="form-actions">
              <Button onClick={reload}>Cancel</Button>
              <Button type="submit" variant="primary" busy={sending}>
                Save
              </Button>
            </div>
          </Section>
        </FormBody>
      </form>
    </FormProvider>
  );
}
