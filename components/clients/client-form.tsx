"use client";

import { useRouter } from "next/navigation";
import { useEffect, useMemo, useRef, useState, useTransition } from "react";
import { FormProvider, useForm, useWatch } from "react-hook-form";
import { z } from "zod/mini";
import { BiographicalFields } from "@/components/clients/biographical-fields";
import { BIOGRAPHICAL, DEMOGRAPHIC } from "@/components/clients/sections";
import { SimilarClients } from "@/components/clients/similar-clients";
import { storedClient } from "@/components/clients/stored-number";
import { choicesOf } from "@/components/record/choices";
import { describeIn, factsAt } from "@/components/record/field-at";
import { FieldControl } from "@/components/record/field-control";
import { currentValues, type OwnPlace, ownPlaces, ownSections, placesInOrder } from "@/components/record/own";
import { OwnFields } from "@/components/record/own-fields";
import { withOwn } from "@/components/record/section";
import { SectionFields } from "@/components/record/section-fields";
import { readConflict, useConflict } from "@/components/record/use-conflict";
import { adoptAfter, useDefinitions } from "@/components/record/use-definitions";
import { ErrorAlert } from "@/components/ui/alert";
import { Button, LinkButton } from "@/components/ui/controls";
import { NeededLegend } from "@/components/ui/field";
import { FormBody, useSending } from "@/components/ui/form-body";
import { useNotify } from "@/components/ui/notifications";
import { schemaResolver } from "@/components/ui/resolver";
import { Section } from "@/components/ui/section";
import { applyServerErrors } from "@/components/ui/server-errors";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import type { Client } from "@/lib/clients/api-schema";
import { clientCreation } from "@/lib/clients/creation";
import { missingOwnOfClient } from "@/lib/clients/own";
import {
  biographical,
  type ClientInput,
  clientSchema,
  demographic,
  missingClientFields,
  otherEthnicityId,
} from "@/lib/clients/schema";
import { clientMessages } from "@/lib/clients/words";
import { ApiError, call, isCode, messagesOf } from "@/lib/core/api/client";
import { today } from "@/lib/core/fields/format";
import { problemsOnWire } from "@/lib/core/fields/problems";
import { blanksOf } from "@/lib/core/fields/shapes";
import { toWire } from "@/lib/core/fields/wire";
import type { FormLists } from "@/lib/lookups/schema";

/** The schema of the form's values, for naming fields in a conflict. */
const RECORD = z.object({ client: clientSchema });

const valuesOf = (client: Client | null): ClientInput => ({
  name: client?.name ?? "",
  verbalConfirmation: client?.verbalConfirmation ?? false,
  lockVersion: client?.lockVersion,
  custom: currentValues(clientSchema, client?.custom),
  clientBiographicalEntry: client?.clientBiographicalEntry ?? blanksOf(biographical.schema),
  clientDemographicEntry: client?.clientDemographicEntry ?? blanksOf(demographic.schema),
});

/** The values of this form are those of the client. */
const inForm = (place: OwnPlace) => ({ ...place, name: place.name.replace("client.", "") });

const hasFields = (error: unknown) => error instanceof ApiError && Object.keys(error.fields).length > 0;

/** The client form, new (`client` is null) or edit. */
export function ClientForm({
  client,
  lists,
  back,
}: {
  client: Client | null;
  lists: FormLists;
  /** The URL of the list as the user left it. */
  back: string;
}) {
  const router = useRouter();
  const notify = useNotify();
  const [create] = useState(clientCreation);
  const [messages, setMessages] = useState<string[]>([]);
  const [outdated, setOutdated] = useState(false);
  const [base, setBase] = useState(client);
  const { conflict, ...conflicts } = useConflict();
  const choices = useMemo(() => choicesOf(lists), [lists]);
  const form = useForm({
    mode: "onBlur",
    defaultValues: valuesOf(client),
    resolver: schemaResolver<ClientInput, ClientInput>(
      clientSchema,
      (values) => {
        const otherEthnicity = otherEthnicityId(lists.ethnicities);
        const missing = {
          ...missingClientFields(values, { day: today(), otherEthnicity, stored: base }),
          ...missingOwnOfClient(base, values),
        };
        return problemsOnWire(
          clientSchema,
          Object.fromEntries(
            Object.entries(missing).map(([path, problem]) => [path.replace(/^client\./, ""), problem]),
          ),
        );
      },
      () => base,
    ),
  });
  useDefinitions();
  const places = ownPlaces("client", clientSchema);
  const placesIn = (section: string) =>
    placesInOrder(places.filter(({ facts }) => facts.own.section === section)).map(inForm);
  const { isDirty } = form.formState;
  const { sending, send } = useSending();
  const [leaving, startLeaving] = useTransition();
  const busy = sending || leaving;
  const screen = useRef<HTMLFormElement>(null);
  const alert = useRef<HTMLDivElement>(null);
  // Enter in a field also submits the form, and may do so far from the alert next to the buttons.
  useEffect(() => {
    if (messages.length === 0) return;
    const wrong = screen.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    const target = wrong ?? alert.current;
    target?.focus({ preventScroll: true });
    target?.scrollIntoView({ block: "center" });
  }, [messages]);

  async function save(values: ClientInput) {
    const body = { client: toWire(clientSchema, values) };
    setMessages([]);
    setOutdated(false);
    try {
      await send(() =>
        base ? call("PUT /api/clients/{id}", { params: { id: base.id }, body }) : create(body),
      );
    } catch (error) {
      const refused = applyServerErrors(form, error, "client");
      const changed = await adoptAfter(error);
      if (changed.length > 0) form.setValue("custom", currentValues(clientSchema, form.getValues("custom")));
      setMessages([...refused, ...changed]);
      setOutdated(isCode(error, "conflict_version") && !hasFields(error));
      return;
    }
    form.reset(values);
    notify.success(client ? clientMessages.updated : clientMessages.created);
    startLeaving(() => {
      router.push(back);
      router.refresh();
    });
  }

  async function compare({ id }: Client) {
    const { read, hidden } = storedClient(
      base?.clientBiographicalEntry?.phoneNumber ?? "",
      form.getValues("clientBiographicalEntry.phoneNumber") ?? "",
    );
    try {
      await conflicts.open(
        readConflict({
          prefix: "client",
          describe: describeIn(RECORD),
          choices,
          read: () => read(id),
          hidden,
          versions: (stored) => ({ base: valuesOf(base), theirs: valuesOf(stored), mine: form.getValues() }),
          use(values, stored) {
            form.reset(values, { keepDefaultValues: true });
            setBase(stored);
            setMessages([]);
            setOutdated(false);
          },
        }),
      );
    } catch (error) {
      setMessages(messagesOf(error));
    }
  }

  return (
    <FormProvider {...form}>
      <UnsavedGuard unsaved={isDirty} />
      <form ref={screen} className="stack" noValidate onSubmit={form.handleSubmit(save)}>
        <FormBody busy={busy} begins={client === null}>
          <NeededLegend />
          <Section title="Client">
            <FieldControl facts={factsAt(clientSchema, "name")} name="name" choices={choices} />
            {client === null && <SimilarToTyped />}
            <FieldControl
              facts={factsAt(clientSchema, "verbalConfirmation")}
              name="verbalConfirmation"
              choices={choices}
            />
            <OwnFields places={placesIn("")} />
          </Section>
          {withOwn(DEMOGRAPHIC.groups, placesIn("clientDemographicEntry")).length > 0 && (
            <Section title={DEMOGRAPHIC.title}>
              <SectionFields
                spec={DEMOGRAPHIC}
                prefix="clientDemographicEntry"
                own={placesIn("clientDemographicEntry")}
                choices={choices}
              />
            </Section>
          )}
          <Section title={BIOGRAPHICAL.title}>
            <BiographicalFields prefix="" own={placesIn("clientBiographicalEntry")} {...{ lists, choices }} />
          </Section>
          {ownSections(places).map((section) => (
            <Section key={section.title} title={section.title}>
              <OwnFields places={section.places.map(inForm)} />
            </Section>
          ))}
          <div ref={alert} tabIndex={-1} className="empty:hidden">
            <ErrorAlert messages={messages} />
          </div>
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
        <conflict.Dialog
          message={messages.join(" ")}
          found={conflict.found}
          phone={conflict.phone}
          onClose={conflicts.close}
          onMerge={conflict.merge}
        />
      )}
    </FormProvider>
  );
}

function SimilarToTyped() {
  return <SimilarClients typed={useWatch<ClientInput, "name">({ name: "name" })} />;
}
