"use client";

import { FormProvider, useForm } from "react-hook-form";
import { ClientPicker } from "@/components/forms/client-picker";
import type { ClientHit } from "@/lib/clients/api-schema";

/** Filters a list of forms by client. `chosen` is the name of the current client, or "". */
export default function ClientFilter(props: { chosen: string; onChoose: (client: ClientHit) => void }) {
  const form = useForm({ defaultValues: { clientId: null } });
  return (
    <FormProvider {...form}>
      <div className="max-sm:col-span-2">
        <ClientPicker name="clientId" required={false} {...props} />
      </div>
    </FormProvider>
  );
}
