"use client";

import { useRouter } from "next/navigation";
import { FormProvider, useFieldArray, useForm, useWatch } from "react-hook-form";
import { isOwnSection, KIND_WORDS, programPlaces } from "@/components/settings/fields/places";
import { RequiredFrom } from "@/components/settings/fields/required-from";
import { ErrorAlert } from "@/components/ui/alert";
import { CheckboxField, CheckboxGroupField, SelectField } from "@/components/ui/choice-fields";
import { Button, IconButton } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { FieldSet } from "@/components/ui/field";
import { ChevronIcon, PlusIcon, TrashIcon } from "@/components/ui/icons";
import { useNotify } from "@/components/ui/notifications";
import { applyServerErrors } from "@/components/ui/server-errors";
import { TextField } from "@/components/ui/text-fields";
import { useFailure } from "@/components/ui/use-failure";
import { call } from "@/lib/core/api/client";
import { OWN_KINDS, OWN_RECORDS, type OwnField, type OwnKind } from "@/lib/core/fields/definitions";
import { capitalize, date, today } from "@/lib/core/fields/format";
import { isRetired } from "@/lib/core/fields/required";

type ChoiceValues = { choiceId?: number; label: string; retiredFrom: string | null };
/** `place` is `record section`, with `*` for a section of the organization's own. */
type Values = {
  place: string | null;
  title: string;
  label: string;
  hint: string;
  kind: OwnKind | null;
  requiredFrom: string | null;
  sensitive: boolean;
  formTypeIds: number[];
  choices: ChoiceValues[];
};

const OWN_PLACE = "*";
const placeOf = (field: OwnField): string =>
  `${field.record} ${isOwnSection(field) ? OWN_PLACE : field.section}`;
const RECORD_WORDS = { client: "Client", form: "Form" };

/** Returns the places that a field can have: those of its record, or of both for a new one. */
const placeOptions = (field: OwnField | null) =>
  OWN_RECORDS.filter((record) => !field || field.record === record).flatMap((record) => [
    ...programPlaces(record).map(({ section, title }) => ({
      value: `${record} ${section}`,
      label: `${RECORD_WORDS[record]}: ${title}`,
    })),
    { value: `${record} ${OWN_PLACE}`, label: `${RECORD_WORDS[record]}: a section of your own` },
  ]);

const valuesOf = (field: OwnField | null): Values => ({
  place: field && placeOf(field),
  title: field && isOwnSection(field) ? field.section : "",
  label: field?.label ?? "",
  hint: field?.hint ?? "",
  kind: field?.kind ?? null,
  requiredFrom: field?.requiredFrom ?? null,
  sensitive: field?.sensitive ?? false,
  formTypeIds: [...(field?.formTypeIds ?? [])],
  choices: (field?.choices ?? []).map(({ id, label, retiredFrom }) => ({ choiceId: id, label, retiredFrom })),
});

/** Adds an own field (`field` is null), or changes one. */
export function OwnFieldDialog({
  field,
  formTypes,
  onClose,
}: {
  field: OwnField | null;
  formTypes: readonly { id: number; name: string }[];
  onClose: () => void;
}) {
  const router = useRouter();
  const notify = useNotify();
  const form = useForm<Values>({ defaultValues: valuesOf(field) });
  const { messages, busy, run } = useFailure();
  const [place, kind] = useWatch({ control: form.control, name: ["place", "kind"] });
  const isOwnPlace = place?.endsWith(OWN_PLACE) ?? false;
  const hasChoices = kind === "choice" || kind === "choices";

  const send = form.handleSubmit(({ place, title, kind, choices, ...values }) => {
    const missing = (["label", "place", "kind"] as const).filter((name) => !form.getValues(name));
    if (isOwnPlace && !title.trim()) form.setError("title", { message: "Section Title is required" });
    for (const name of missing) form.setError(name, { message: `${capitalize(name)} is required` });
    if (!place || !kind || missing.length > 0 || (isOwnPlace && !title.trim())) return;
    return run(
      async () => {
        const [recordName, section = ""] = place.split(" ");
        const body = {
          field: {
            ...values,
            record: OWN_RECORDS.find((record) => record === recordName) ?? "form",
            section: section === OWN_PLACE ? title : section,
            kind,
            choices: hasChoices
              ? choices.map(({ choiceId, ...choice }) => ({ id: choiceId, ...choice }))
              : [],
            retiredFrom: field?.retiredFrom ?? null,
            lockVersion: field?.lockVersion,
          },
        };
        await (field
          ? call("PUT /api/fields/{id}", { params: { id: field.id }, body })
          : call("POST /api/fields", { body }));
        notify.success(`${field ? "Changed" : "Added"} ${values.label}`);
        onClose();
        router.refresh();
      },
      (error) => applyServerErrors(form, error, "field"),
    );
  });
  /** Without this, the error of a part without a control would block every later save. */
  function save() {
    form.clearErrors();
    void send();
  }

  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={field ? field.label : "Add a field"}
      description="Users see a change the next time they open a form or a client."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={busy} onClick={save}>
            Save
          </Button>
        </>
      }
    >
      <FormProvider {...form}>
        <form
          method="post"
          className="stack min-h-0 overflow-y-auto p-1"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          <ErrorAlert messages={messages} />
          <TextField name="label" label="Label" required />
          <div className="grid gap-4 md:grid-cols-2">
            <SelectField
              name="place"
              label="Place"
              required
              options={placeOptions(field)}
              placeholder="-- Select --"
            />
            <SelectField
              name="kind"
              label="Kind"
              required
              disabled={field !== null}
              options={OWN_KINDS.map((value) => ({ value, label: KIND_WORDS[value] }))}
              placeholder="-- Select --"
            />
          </div>
          {isOwnPlace && (
            <TextField
              name="title"
              label="Section Title"
              required
              hint="Fields with the same title are in one section."
            />
          )}
          {hasChoices && <ChoiceList />}
          <TextField name="hint" label="Hint" />
          {kind !== null && kind !== "flag" && <RequiredFrom />}
          <CheckboxField
            name="sensitive"
            label="Sensitive"
            hint="A purge empties it. It always empties texts and dates."
          />
          <CheckboxGroupField
            name="formTypeIds"
            label="Form Types"
            hint="If none is chosen, every form type that has the section asks it."
            options={formTypes.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </form>
      </FormProvider>
    </Dialog>
  );
}

/** The choices of a field, in their order. */
function ChoiceList() {
  const { fields, append, remove, move, update } = useFieldArray<Values, "choices">({ name: "choices" });
  const values = useWatch<Values, "choices">({ name: "choices" });
  return (
    <FieldSet legend="Choices *" className="flex flex-col gap-2">
      {fields.map(({ id }, at) => {
        const choice = values[at];
        const retired = choice ? isRetired(choice) : false;
        return (
          <div key={id} className="flex flex-wrap items-end gap-x-1">
            <TextField
              className="min-w-0 flex-1"
              name={`choices.${at}.label`}
              label={`Choice ${at + 1}`}
              hideLabel
              hint={retired && choice?.retiredFrom ? `Retired from ${date(choice.retiredFrom)}` : undefined}
            />
            <IconButton
              label={`Move choice ${at + 1} up`}
              icon={<ChevronIcon direction="up" />}
              disabled={at === 0}
              onClick={() => move(at, at - 1)}
            />
            <IconButton
              label={`Move choice ${at + 1} down`}
              icon={<ChevronIcon direction="down" />}
              disabled={at === fields.length - 1}
              onClick={() => move(at, at + 1)}
            />
            {choice?.choiceId !== undefined && (
              <Button
                size="sm"
                aria-label={retired ? `Use choice ${at + 1} again` : `Retire choice ${at + 1}`}
                onClick={() => update(at, { ...choice, retiredFrom: retired ? null : today() })}
              >
                {retired ? "Use again" : "Retire"}
              </Button>
            )}
            <IconButton label={`Remove choice ${at + 1}`} icon={<TrashIcon />} onClick={() => remove(at)} />
          </div>
        );
      })}
      <div>
        <Button size="sm" icon={<PlusIcon />} onClick={() => append({ label: "", retiredFrom: null })}>
          Add a choice
        </Button>
      </div>
    </FieldSet>
  );
}
