"use client";

import { FormProvider, useForm } from "react-hook-form";
import { ClientPicker } from "@/components/forms/client-picker";
import type { ClientHit } from "@/lib/clients/schema";

/** Chooses the client whose forms a list shows; `chosen` is the name of the present one, or "". */
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
