"use client";

import { type ReactNode, type RefObject, useId } from "react";
import { type FieldPath, type UseFormReturn, useFormContext, useWatch } from "react-hook-form";
import { ClientConsent } from "@/components/forms/client-consent";
import { factsAt } from "@/components/forms/fields";
import { NamedFields } from "@/components/forms/named-fields";
import { movedDetails, showsDetail } from "@/components/forms/sections";
import { type FormValues, formTypeOf } from "@/components/forms/values";
import type { Choices } from "@/components/record/choices";
import { CustomFields, type FieldInForm } from "@/components/record/custom-fields";
import { FieldControl } from "@/components/record/field-control";
import { BELOW_BOX, FieldGrid } from "@/components/ui/section";
import { ADVOCATE_NAME } from "@/lib/core/fields/words";
import { canine, noneCanineId } from "@/lib/forms/sections/canine";
import type { FormLists } from "@/lib/lookups/schema";

const CHOICES = [
  "form.canineId",
  "form.intakeForm.referralSourceId",
  "form.intakeForm.referralSourceName",
] as const;
const RELATIONSHIP = ["client.significantOther", "client.relationshipToSurvivor"] as const;

/** The fields outside the sections of the form type. The client is first, then type, day and status. */
export function DetailsSection({
  advocate,
  lists,
  choices,
  custom,
  newClient,
  consents,
  onFormType,
}: {
  /** The owner of the form; null on a new one. */
  advocate: string | null;
  lists: FormLists;
  choices: Choices;
  /** The organization's custom fields of the section. */
  custom: readonly FieldInForm[];
  /** The choice of a client on a new form. */
  newClient?: ReactNode;
  /** The verbal confirmations of the clients that were read, by id. */
  consents: RefObject<Map<number, boolean>>;
  onFormType: (formTypeId: number | null) => void;
}) {
  const form: UseFormReturn<FormValues> = useFormContext();
  const type = formTypeOf(useWatch<FormValues, "form.formTypeId">({ name: "form.formTypeId" }), lists);

  const show = (name: FieldPath<FormValues>, onValueChange?: () => void) => {
    const className = name === RELATIONSHIP[1] ? BELOW_BOX : undefined;
    return <FieldControl key={name} facts={factsAt(name)} {...{ name, choices, className, onValueChange }} />;
  };

  function changeType() {
    const { formTypeId, canineId } = form.getValues("form");
    const next = formTypeOf(formTypeId, lists);
    form.setValue("form.canineId", canine.clear(canineId, next, noneCanineId(lists.canines)));
    onFormType(formTypeId);
  }

  const isNew = advocate === null;
  const moved = movedDetails()?.filter((name) => factsAt(name).custom || showsDetail(name, type));
  const shown = (names: readonly FieldPath<FormValues>[]) =>
    moved ? [] : names.filter((name) => showsDetail(name, type)).map((name) => show(name));
  const chosen = [
    !isNew && <ReadOnly key="advocate" label={ADVOCATE_NAME} value={advocate} />,
    ...shown(CHOICES),
  ].filter((field) => field !== false);
  const relationship = shown(RELATIONSHIP);
  return (
    <>
      <FieldGrid>
        {isNew ? newClient : show("client.name")}
        {show("form.formTypeId", changeType)}
        {show("form.serviceOn")}
        {show("form.serviceStatus")}
      </FieldGrid>
      <Rows fields={chosen} />
      <FieldGrid>
        <div className="flex flex-wrap items-center gap-x-4">
          {show("form.verbalConfirmation")}
          <ClientConsent consents={consents} />
        </div>
        {relationship.length > 0 && <div>{relationship}</div>}
      </FieldGrid>
      {moved ? <NamedFields names={moved} {...{ custom, choices }} /> : <CustomFields places={custom} />}
    </>
  );
}

/** Fields in rows of two, or in one row of three, so that no row has a hole. */
function Rows({ fields }: { fields: readonly ReactNode[] }) {
  if (fields.length === 0) return null;
  return <FieldGrid columns={fields.length === 3 ? 3 : 2}>{fields}</FieldGrid>;
}

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
