"use client";

import { useRouter } from "next/navigation";
import { FormProvider, useForm } from "react-hook-form";
import { ErrorAlert } from "@/components/ui/alert";
import { CheckboxGroupField } from "@/components/ui/choice-fields";
import { Button } from "@/components/ui/controls";
import { DateField } from "@/components/ui/date-field";
import { FieldGrid } from "@/components/ui/section";
import { applyServerErrors } from "@/components/ui/server-errors";
import { TextField } from "@/components/ui/text-fields";
import { useFailure } from "@/components/ui/use-failure";
import type { NamedItem } from "@/lib/core/access/permissions";
import { call } from "@/lib/core/api/client";
import { labelIn } from "@/lib/core/fields/facts";
import { latestEnd, type TokenInput, tokenSchema } from "@/lib/identity/tokens/schema";

type Values = { name: string; expiresOn: string | null; permissionIds: number[]; addresses: string };

const labelOf = (name: Exclude<keyof TokenInput, "addresses">) => labelIn(tokenSchema, name);

/** A form for a new token: its name, last day, permissions and allowed addresses. */
export function NewToken({
  permissions,
  today,
  onClose,
  onMade,
}: {
  permissions: NamedItem[];
  today: string;
  onClose: () => void;
  onMade: (made: { name: string; token: string }) => void;
}) {
  const router = useRouter();
  const form = useForm<Values>({
    defaultValues: { name: "", expiresOn: null, permissionIds: [], addresses: "" },
  });
  const { messages, busy, run } = useFailure();

  const make = form.handleSubmit(({ expiresOn, addresses, ...values }) =>
    run(
      async () => {
        const apiToken = {
          ...values,
          expiresOn: expiresOn ?? "",
          addresses: addresses.split(/[\s,]+/).filter(Boolean),
        };
        const response = await call("POST /api/api_tokens", { body: { apiToken } });
        onMade(response.apiToken);
        router.refresh();
      },
      (error) => applyServerErrors(form, error, "apiToken"),
    ),
  );

  return (
    <FormProvider {...form}>
      <form method="post" aria-label="New token" className="stack" noValidate onSubmit={make}>
        <ErrorAlert messages={messages} />
        <FieldGrid>
          <TextField
            name="name"
            label={labelOf("name")}
            required
            autoFocus
            hint="The purpose of the token, such as Nightly export."
          />
          <DateField name="expiresOn" label={labelOf("expiresOn")} required min={today} max={latestEnd()} />
          <TextField
            name="addresses"
            label="Addresses"
            hint="IP addresses or subnets that may use the token, such as 10.20.0.0/16. Leave this blank to allow any address."
          />
        </FieldGrid>
        <CheckboxGroupField
          name="permissionIds"
          label={labelOf("permissionIds")}
          required
          options={permissions.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <div className="form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={busy}>
            Create token
          </Button>
        </div>
      </form>
    </FormProvider>
  );
}
