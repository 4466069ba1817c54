"use client";

import { useMemo, useState } from "react";
import { useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { BiographicalFields } from "@/components/clients/biographical-fields";
import { BIOGRAPHICAL, DEMOGRAPHIC } from "@/components/clients/sections";
import { SimilarClients } from "@/components/clients/similar-clients";
import { storedClient } from "@/components/clients/stored-number";
import { type Choices, choicesOf } from "@/components/record/choices";
import {
  type CustomPlace,
  currentValues,
  customPlaces,
  customSections,
  placesInOrder,
} from "@/components/record/custom";
import { CustomFields } from "@/components/record/custom-fields";
import { describeIn, factsAt } from "@/components/record/field-at";
import { FieldControl } from "@/components/record/field-control";
import { RecordFrame } from "@/components/record/record-frame";
import { withCustom } from "@/components/record/section";
import { SectionFields } from "@/components/record/section-fields";
import { adoptAfter, useDefinitions } from "@/components/record/use-definitions";
import { useRecordForm } from "@/components/record/use-record-form";
import { NeededLegend } from "@/components/ui/field";
import { schemaResolver } from "@/components/ui/resolver";
import { Section } from "@/components/ui/section";
import type { Client } from "@/lib/clients/api-schema";
import { clientCreation } from "@/lib/clients/creation";
import { missingCustomOfClient } from "@/lib/clients/custom";
import {
  biographical,
  type ClientInput,
  clientSchema,
  demographic,
  missingClientFields,
  otherEthnicityId,
} from "@/lib/clients/schema";
import { clientMessages } from "@/lib/clients/words";
import { call } from "@/lib/core/api/client";
import { problemsOnWire } from "@/lib/core/fields/problems";
import { blanksOf } from "@/lib/core/fields/shapes";
import { toWire } from "@/lib/core/fields/wire";
import { today } from "@/lib/core/text/format";
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
const inForm = (place: CustomPlace) => ({ ...place, name: place.name.replace("client.", "") });

/** Returns the checks of a client's typed values, with those of required fields. `stored` is the record as loaded. */
const clientResolver = (lists: FormLists, stored: Client | null) =>
  schemaResolver<ClientInput, ClientInput>(
    clientSchema,
    (values) => {
      const otherEthnicity = otherEthnicityId(lists.ethnicities);
      const missing = {
        ...missingClientFields(values, { day: today(), otherEthnicity, stored }),
        ...missingCustomOfClient(stored, values),
      };
      return problemsOnWire(
        clientSchema,
        Object.fromEntries(
          Object.entries(missing).map(([path, problem]) => [path.replace(/^client\./, ""), problem]),
        ),
      );
    },
    () => stored,
  );

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
  const [create] = useState(clientCreation);
  const state = useRecordForm<Client | null, ClientInput, ClientInput>({
    stored: client,
    back,
    entity: "client",
    values: valuesOf(client),
    resolver: (loaded) => clientResolver(lists, loaded),
  });
  const { form, base } = state;
  const choices = useMemo(() => choicesOf(lists), [lists]);

  async function save(values: ClientInput) {
    const body = { client: toWire(clientSchema, values) };
    const saved = await state.save(
      async () => (base ? call("PUT /api/clients/{id}", { params: { id: base.id }, body }) : create(body)),
      async (messages, error) => {
        const changed = await adoptAfter(error);
        if (changed.length > 0)
          form.setValue("custom", currentValues(clientSchema, form.getValues("custom")));
        return [...messages, ...changed];
      },
    );
    if (saved) state.leave(client ? clientMessages.updated : clientMessages.created, values);
  }

  function compare({ id }: Client) {
    const { read, hidden } = storedClient(
      base?.clientBiographicalEntry?.phoneNumber ?? "",
      form.getValues("clientBiographicalEntry.phoneNumber") ?? "",
    );
    return state.compare({
      prefix: "client",
      describe: describeIn(RECORD),
      choices,
      read: () => read(id),
      hidden,
      versions: (stored) => ({ base: valuesOf(base), theirs: valuesOf(stored), mine: form.getValues() }),
    });
  }

  return (
    <RecordFrame
      state={state}
      back={back}
      isNew={client === null}
      long
      onSave={save}
      onCompare={client === null ? undefined : () => compare(client)}
    >
      <ClientFields isNew={client === null} lists={lists} choices={choices} />
    </RecordFrame>
  );
}

/** The fields of a client in their sections, with the organization's custom fields. */
function ClientFields({ isNew, lists, choices }: { isNew: boolean; lists: FormLists; choices: Choices }) {
  useDefinitions();
  const places = customPlaces("client", clientSchema);
  const placesIn = (section: string) =>
    placesInOrder(places.filter(({ facts }) => facts.custom.section === section)).map(inForm);
  const demographicPlaces = placesIn("clientDemographicEntry");
  return (
    <>
      <NeededLegend />
      <Section title="Client">
        <FieldControl facts={factsAt(clientSchema, "name")} name="name" choices={choices} />
        {isNew && <SimilarToTyped />}
        <FieldControl
          facts={factsAt(clientSchema, "verbalConfirmation")}
          name="verbalConfirmation"
          choices={choices}
        />
        <CustomFields places={placesIn("")} />
      </Section>
      {withCustom(DEMOGRAPHIC.groups, demographicPlaces).length > 0 && (
        <Section title={DEMOGRAPHIC.title}>
          <SectionFields
            spec={DEMOGRAPHIC}
            prefix="clientDemographicEntry"
            custom={demographicPlaces}
            choices={choices}
          />
        </Section>
      )}
      <Section title={BIOGRAPHICAL.title}>
        <BiographicalFields
          prefix=""
          custom={placesIn("clientBiographicalEntry")}
          lists={lists}
          choices={choices}
        />
      </Section>
      {customSections(places).map((section) => (
        <Section key={section.title} title={section.title}>
          <CustomFields places={section.places.map(inForm)} />
        </Section>
      ))}
    </>
  );
}

function SimilarToTyped() {
  return <SimilarClients typed={useWatch<ClientInput, "name">({ name: "name" })} />;
}
