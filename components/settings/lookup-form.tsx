"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { FormProvider, useForm } from "react-hook-form";
import { LookupFieldControl } from "@/components/settings/lookup-field";
import { ErrorAlert } from "@/components/ui/alert";
import { Button, LinkButton } from "@/components/ui/controls";
import { FormBody, useSending } from "@/components/ui/form-body";
import { useNotify } from "@/components/ui/notifications";
import { schemaResolver } from "@/components/ui/resolver";
import { applyServerErrors } from "@/components/ui/server-errors";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { call } from "@/lib/api/client";
import { fieldsOf } from "@/lib/fields/facts";
import { type Lookup, type LookupKey, lookups } from "@/lib/lookups/registry";
import { type LookupChoices, type LookupValues, lookupSchema } from "@/lib/lookups/schema";

/** The form screen of every settings list (spec §2), new (`id` null) or edit, made from the registry. */
export function LookupForm({
  list,
  id,
  values,
  choices,
  back,
}: {
  list: LookupKey;
  id: number | null;
  values: LookupValues;
  choices: LookupChoices;
  /** The list as the user left it. */
  back: string;
}) {
  const { schema, groups, singular, messages }: Lookup = lookups[list];
  const router = useRouter();
  const notify = useNotify();
  const [errors, setErrors] = useState<string[]>([]);
  const [leaving, startLeaving] = useTransition();
  const form = useForm({
    mode: "onBlur",
    defaultValues: values,
    resolver: schemaResolver<LookupValues, LookupValues>(lookupSchema(list)),
  });
  const { isDirty } = form.formState;
  const { sending, send } = useSending();
  const busy = sending || leaving;

  async function save(record: LookupValues) {
    setErrors([]);
    try {
      const body = { [singular]: record };
      await send(() =>
        id === null
          ? call(`POST /api/${list}`, { body })
          : call(`PUT /api/${list}/{id}`, { params: { id }, body }),
      );
    } catch (error) {
      setErrors(applyServerErrors(form, error, singular));
      return;
    }
    form.reset(record);
    notify.success(id === null ? messages.created : messages.updated);
    startLeaving(() => {
      router.push(back);
      router.refresh();
    });
  }

  return (
    <FormProvider {...form}>
      <UnsavedGuard unsaved={isDirty} />
      <form className="stack max-w-3xl" noValidate onSubmit={form.handleSubmit(save)}>
        <FormBody busy={busy} begins={id === null}>
          <ErrorAlert messages={errors} />
          <div className="card stack p-4 sm:p-5">
            {fieldsOf(schema).map((field) => (
              <LookupFieldControl key={field.name} field={field} groups={groups} choices={choices} />
            ))}
          </div>
          <div className="form-actions">
            <LinkButton href={back}>Cancel</LinkButton>
            <Button type="submit" variant="primary" busy={busy}>
              {id === null ? "Save" : "Update"}
            </Button>
          </div>
        </FormBody>
      </form>
    </FormProvider>
  );
}
