"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { FormProvider, useForm } from "react-hook-form";
import { BiographicalSection } from "@/components/clients/biographical-section";
import { DemographicSection } from "@/components/clients/demographic-section";
import { ConflictDialog } from "@/components/forms/conflict-dialog";
import { type Difference, differences, merged } from "@/components/forms/differences";
import { ErrorAlert } from "@/components/ui/alert";
import { Button, LinkButton } from "@/components/ui/controls";
import { applyServerErrors, Section, TextField } from "@/components/ui/field";
import { FormBody, useSending } from "@/components/ui/form-body";
import { useNotify } from "@/components/ui/notifications";
import { schemaResolver } from "@/components/ui/resolver";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { call, isCode, messagesOf } from "@/lib/api/client";
import { clientCreation } from "@/lib/clients/creation";
import {
  biographical,
  type Client,
  type ClientInput,
  clientMessages,
  clientSchema,
  demographic,
} from "@/lib/clients/schema";
import { toWire } from "@/lib/fields/wire";
import type { FormLists } from "@/lib/lookups/schema";

const valuesOf = (client: Client | null): ClientInput => ({
  name: client?.name ?? "",
  lockVersion: client?.lockVersion,
  clientBiographicalEntry: client?.clientBiographicalEntry ?? biographical.defaults(),
  clientDemographicEntry: client?.clientDemographicEntry ?? demographic.defaults(),
});

/** The client form, new (`client` null) or edit (spec §2): name, demographic part, biographical part. */
export function ClientForm({
  client,
  lists,
  back,
}: {
  client: Client | null;
  lists: FormLists;
  /** The list as the user left it. */
  back: string;
}) {
  const router = useRouter();
  const notify = useNotify();
  const [create] = useState(clientCreation);
  const [messages, setMessages] = useState<string[]>([]);
  const [outdated, setOutdated] = useState(false);
  const [base, setBase] = useState(client);
  const [conflict, setConflict] = useState<{ stored: Client; found: Difference[] } | null>(null);
  const form = useForm({
    mode: "onBlur",
    defaultValues: valuesOf(client),
    resolver: schemaResolver<ClientInput, ClientInput>(clientSchema),
  });
  const { isDirty } = form.formState;
  const { sending, send } = useSending();
  const [leaving, startLeaving] = useTransition();
  const busy = sending || leaving;

  async function save(values: ClientInput) {
    const body = { client: toWire(clientSchema, values) };
    setMessages([]);
    setOutdated(false);
    try {
      await send(() =>
        client ? call("PUT /api/clients/{id}", { params: { id: client.id }, body }) : create(body),
      );
    } catch (error) {
      setMessages(applyServerErrors(form, error, "client"));
      setOutdated(isCode(error, "conflict_version"));
      return;
    }
    form.reset(values);
    notify.success(client ? clientMessages.updated : clientMessages.created);
    startLeaving(() => {
      router.push(back);
      router.refresh();
    });
  }

  const versionsOf = (stored: Client) => ({
    base: valuesOf(base),
    theirs: valuesOf(stored),
    mine: form.getValues(),
  });

  async function compare({ id }: Client) {
    try {
      const { client: stored } = await call("GET /api/clients/{id}", { params: { id } });
      setConflict({ stored, found: differences(versionsOf(stored), "client", lists, new Map()) });
    } catch (error) {
      setMessages(messagesOf(error));
    }
  }

  function merge({ stored, found }: NonNullable<typeof conflict>, takesTheirs: (name: string) => boolean) {
    form.reset(merged(versionsOf(stored), "client", found, takesTheirs), { keepDefaultValues: true });
    setBase(stored);
    setMessages([]);
    setOutdated(false);
    setConflict(null);
  }

  return (
    <FormProvider {...form}>
      <UnsavedGuard unsaved={isDirty} />
      <form className="stack" noValidate onSubmit={form.handleSubmit(save)}>
        <FormBody busy={busy}>
          <Section title="Client">
            <TextField name="name" label="Client Name" required />
          </Section>
          <DemographicSection namePrefix="clientDemographicEntry" lists={lists} />
          <BiographicalSection namePrefix="clientBiographicalEntry" lists={lists} />
          <ErrorAlert messages={messages} />
          <div className="form-actions">
            {client && outdated && <Button onClick={() => void compare(client)}>Compare and choose</Button>}
            <LinkButton href={back}>Cancel</LinkButton>
            <Button type="submit" variant="primary" busy={busy}>
              {client ? "Update" : "Save"}
            </Button>
          </div>
        </FormBody>
      </form>
      {conflict && (
        <ConflictDialog
          message={messages.join(" ")}
          found={conflict.found}
          onClose={() => setConflict(null)}
          onMerge={(takesTheirs) => merge(conflict, takesTheirs)}
        />
      )}
    </FormProvider>
  );
}
