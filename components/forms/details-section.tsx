"use client";

import { Fragment, type ReactNode, type RefObject, useId, useRef, useState } from "react";
import { type FieldPath, type UseFormReturn, useFormContext, useWatch } from "react-hook-form";
import { recordRevealed } from "@/components/clients/phone-number";
import { SimilarClients } from "@/components/clients/similar-clients";
import { ClientConsent } from "@/components/forms/client-consent";
import { ClientPicker } from "@/components/forms/client-picker";
import { factsAt } from "@/components/forms/fields";
import { NamedFields } from "@/components/forms/named-fields";
import { movedDetails, showsDetail } from "@/components/forms/sections";
import {
  type Base,
  blankClient,
  clientValues,
  type FormValues,
  formTypeOf,
  noClient,
  withTyped,
} from "@/components/forms/values";
import type { Choices } from "@/components/record/choices";
import { FieldControl } from "@/components/record/field-control";
import { type FieldInForm, OwnFields } from "@/components/record/own-fields";
import { ErrorAlert } from "@/components/ui/alert";
import { CheckboxField } from "@/components/ui/choice-fields";
import { Button } from "@/components/ui/controls";
import { FieldGrid } from "@/components/ui/section";
import type { ClientHit } from "@/lib/clients/api-schema";
import { call, messagesOf } from "@/lib/core/api/client";
import { ADVOCATE_NAME } from "@/lib/core/fields/words";
import { canine, noneCanineId } from "@/lib/forms/sections/canine";
import type { FormLists } from "@/lib/lookups/schema";

const REFERRAL = ["form.intakeForm.referralSourceId", "form.intakeForm.referralSourceName"] as const;
const RELATIONSHIP = ["client.significantOther", "client.relationshipToSurvivor"] as const;

/** The fields outside the sections of the form type. */
export function DetailsSection({
  advocate,
  lists,
  choices,
  own,
  base,
  consents,
  onFormType,
}: {
  /** The owner of the form; null on a new one. */
  advocate: string | null;
  lists: FormLists;
  choices: Choices;
  /** The organization's custom fields of the section. */
  own: readonly FieldInForm[];
  /** The values as loaded. */
  base: RefObject<Base>;
  /** The verbal confirmations of the clients that were read, by id. */
  consents: RefObject<Map<number, boolean>>;
  onFormType: (formTypeId: number | null) => void;
}) {
  const form: UseFormReturn<FormValues> = useFormContext();
  const type = formTypeOf(useWatch<FormValues, "form.formTypeId">({ name: "form.formTypeId" }), lists);

  const show = (name: FieldPath<FormValues>, onValueChange?: () => void, className?: string) => (
    <FieldControl facts={factsAt(name)} {...{ name, choices, onValueChange, className }} />
  );

  function changeType() {
    const { formTypeId, canineId } = form.getValues("form");
    const next = formTypeOf(formTypeId, lists);
    form.setValue("form.canineId", canine.clear(canineId, next, noneCanineId(lists.canines)));
    onFormType(formTypeId);
  }

  const moved = movedDetails()?.filter((name) => factsAt(name).own || showsDetail(name, type));
  const canineChoice = !moved && showsDetail("form.canineId", type) && show("form.canineId");
  const relationship = RELATIONSHIP.filter((name) => showsDetail(name, type));
  const referral = REFERRAL.filter((name) => showsDetail(name, type));
  // Separate rows keep related fields next to each other, even if the form type omits others.
  return (
    <>
      {advocate === null ? (
        <ClientChoiceFields
          formType={show("form.formTypeId", changeType)}
          day={show("form.serviceOn")}
          canine={canineChoice}
          {...{ choices, base, consents }}
        />
      ) : (
        <>
          <FieldGrid>
            {show("form.formTypeId", changeType)}
            <ReadOnly label={ADVOCATE_NAME} value={advocate} />
            {show("client.name")}
            {show("form.serviceOn")}
          </FieldGrid>
          {canineChoice && <FieldGrid>{canineChoice}</FieldGrid>}
        </>
      )}
      <FieldGrid>
        <div className={`flex flex-wrap items-center gap-x-4 ${NEXT_TO_FIELD}`}>
          {show("form.verbalConfirmation")}
          <ClientConsent consents={consents} />
        </div>
        {show("form.serviceStatus")}
      </FieldGrid>
      {moved ? (
        <NamedFields names={moved} {...{ own, choices }} />
      ) : (
        <>
          {referral.length > 0 && (
            <FieldGrid>
              {referral.map((name) => (
                <Fragment key={name}>{show(name)}</Fragment>
              ))}
            </FieldGrid>
          )}
          {relationship.length > 0 && (
            <FieldGrid>
              <div>
                {relationship.map((name) => (
                  <Fragment key={name}>{show(name)}</Fragment>
                ))}
              </div>
            </FieldGrid>
          )}
          <OwnFields places={own} />
        </>
      )}
    </>
  );
}

/** Aligns a checkbox with the control next to it, which has its label above. */
const NEXT_TO_FIELD = "md:pt-6";
/** Puts a checkbox on the line of the label below it, next to other fields. */
const ON_LABEL_LINE = "md:absolute md:top-0 md:right-0 md:z-1 md:[&>label]:min-h-6 md:[&>label]:py-0";

function ReadOnly({ label, value }: { label: string; value: string }) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium text-sm">
        {label}
      </label>
      <input id={id} className="control" readOnly value={value} />
    </div>
  );
}

/** On a new form: choose an existing client or name a new one. Shown after the form type is chosen. */
function ClientChoiceFields({
  formType,
  day,
  canine,
  choices,
  base,
  consents,
}: {
  formType: ReactNode;
  day: ReactNode;
  canine: ReactNode;
  choices: Choices;
  base: RefObject<Base>;
  consents: RefObject<Map<number, boolean>>;
}) {
  const form: UseFormReturn<FormValues> = useFormContext();
  const existing = useWatch<FormValues, "useExistingClient">({ name: "useExistingClient" });
  const clientId = useWatch<FormValues, "clientId">({ name: "clientId" });
  const [choice, setChoice] = useState<ClientHit | null>(null);
  const latest = useRef<number | null>(null);
  const [errors, setErrors] = useState<string[]>([]);
  /** The values typed about clients that are no longer chosen; otherwise blank. */
  const [putAside, setPutAside] = useState(blankClient);
  /** A chosen client keeps their name. */
  const restorable = clientId === null ? putAside : { ...putAside, name: "" };

  function show(values: Pick<FormValues, "client" | "clientId">, loaded = values.client) {
    base.current = { ...base.current, client: loaded };
    form.setValue("clientId", values.clientId);
    form.setValue("client", values.client);
    form.clearErrors(["clientId", "client"]);
  }

  /** Starts again without a client, or with one that is being loaded. */
  function begin(choice: ClientHit | null) {
    setPutAside(withTyped(putAside, form.getValues("client"), base.current.client));
    show(noClient());
    latest.current = choice?.id ?? null;
    setChoice(choice);
    setErrors([]);
  }

  /** Exchanges what is put aside for what was typed since. */
  function restore() {
    const { client: loaded } = base.current;
    const typedSince = withTyped(blankClient(), form.getValues("client"), loaded);
    form.setValue("client", withTyped(loaded, restorable, blankClient()));
    setPutAside(clientId === null ? typedSince : { ...typedSince, name: putAside.name });
  }

  async function choose(choice: ClientHit) {
    // Until the chosen client has loaded, a save has no client. It must never save the previous one under the new name.
    begin(choice);
    try {
      const { client } = await call("GET /api/clients/{id}", { params: { id: choice.id } });
      if (latest.current !== client.id) return;
      // The screen shows the number in a field.
      if (client.clientBiographicalEntry?.phoneNumber) await recordRevealed([client.id]);
      if (latest.current !== client.id) return;
      consents.current.set(client.id, client.verbalConfirmation);
      const loaded = clientValues(client);
      const typedMeanwhile = form.getValues("client");
      show({ client: withTyped(loaded, typedMeanwhile, blankClient()), clientId: client.id }, loaded);
    } catch (error) {
      if (latest.current !== choice.id) return;
      setChoice(null);
      setErrors(messagesOf(error));
    }
  }

  return (
    <>
      <FieldGrid>
        {formType}
        <div className="relative">
          <CheckboxField
            name="useExistingClient"
            label="Continuing Client"
            className={ON_LABEL_LINE}
            onValueChange={(ticked) => ticked || begin(null)}
          />
          {existing ? (
            <ClientPicker
              name="clientId"
              chosen={choice?.name ?? (clientId === null ? "" : form.getValues("client.name"))}
              onChoose={(choice) => void choose(choice)}
            />
          ) : (
            <FieldControl facts={factsAt("client.name")} name="client.name" choices={choices} />
          )}
        </div>
      </FieldGrid>
      <ErrorAlert messages={errors} />
      {/* Not while a client is being chosen, because their values are not known yet. */}
      {existing === (clientId !== null) && isTyped(restorable) && (
        <div>
          <Button onClick={restore}>Restore what you typed about the client</Button>
        </div>
      )}
      {!existing && clientId === null && (
        <SimilarToTyped
          onChoose={(client) => {
            form.setValue("useExistingClient", true);
            void choose(client);
          }}
        />
      )}
      {existing && choice && clientId !== choice.id && <p role="status">Loading {choice.name}…</p>}
      <FieldGrid>
        {day}
        {canine}
      </FieldGrid>
    </>
  );
}

function SimilarToTyped({ onChoose }: { onChoose: (client: ClientHit) => void }) {
  return (
    <SimilarClients
      typed={useWatch<FormValues, "client.name">({ name: "client.name" })}
      onChoose={onChoose}
    />
  );
}

const isTyped = (client: FormValues["client"]) => JSON.stringify(client) !== JSON.stringify(blankClient());
