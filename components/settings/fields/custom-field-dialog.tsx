"use client";

import { useRouter } from "next/navigation";
import { useMemo, useState } from "react";
import { FormProvider, useFieldArray, useForm, useFormContext, useWatch } from "react-hook-form";
import { useDraftDefinitions } from "@/components/record/use-definitions";
import { FIELD_AND_PREVIEW, FieldPreview } from "@/components/settings/fields/form-preview";
import { sectionAt } from "@/components/settings/fields/layout";
import { isAddedSection, KIND_WORDS, programPlaces } from "@/components/settings/fields/places";
import { RequiredFrom } from "@/components/settings/fields/required-from";
import { undoable } from "@/components/settings/fields/undoable";
import { ErrorAlert } from "@/components/ui/alert";
import { CheckboxField, CheckboxGroupField, SelectField } from "@/components/ui/choice-fields";
import { Button, IconButton } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { FieldSet } from "@/components/ui/field";
import { onFirstClick } from "@/components/ui/first-click";
import { ChevronIcon, PlusIcon, TrashIcon } from "@/components/ui/icons";
import { useNotify } from "@/components/ui/notifications";
import { applyServerErrors } from "@/components/ui/server-errors";
import { TextField } from "@/components/ui/text-fields";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { useFailure } from "@/components/ui/use-failure";
import { call, messagesOf } from "@/lib/core/api/client";
import {
  CUSTOM_KINDS,
  CUSTOM_RECORDS,
  type CustomField,
  type CustomKind,
  type Definitions,
} from "@/lib/core/fields/definitions";
import { customFieldPath, flat, unitsOf, withOrder } from "@/lib/core/fields/in-order";
import { isRetired } from "@/lib/core/fields/required";
import { capitalize, date, parseDate, today } from "@/lib/core/text/format";
import type { FormLists } from "@/lib/lookups/schema";

type ChoiceValues = { choiceId?: number; label: string; retiredFrom: string | null };
const BLANK_CHOICE: ChoiceValues = { label: "", retiredFrom: null };
/** `place` is `record section`, with `*` for a custom section. */
type Values = {
  place: string | null;
  title: string;
  /** The path of the field before it, or FIRST or LAST. */
  position: string;
  label: string;
  hint: string;
  kind: CustomKind | null;
  requiredFrom: string | null;
  sensitive: boolean;
  formTypeIds: number[];
  choices: ChoiceValues[];
};

type Place = Pick<CustomField, "record" | "section">;
const ADDED_SECTION = "*";
const FIRST = "first";
const LAST = "last";
/** The title of a section in the preview before it is entered. */
const NO_TITLE = "Section Title";
/** The key of a field that is not saved yet. The key of a saved field has no hyphen. */
const NEW_KEY = "new-field";
const placeOf = (field: Place): string =>
  `${field.record} ${isAddedSection(field) ? ADDED_SECTION : field.section}`;
const RECORD_WORDS = { client: "Client", form: "Form" };

/** Returns the places that a field can have: those of its record, or of both for a new one. */
const placeOptions = (field: CustomField | null) =>
  CUSTOM_RECORDS.filter((record) => !field || field.record === record).flatMap((record) => [
    ...programPlaces(record).map(({ section, title }) => ({
      value: `${record} ${section}`,
      label: `${RECORD_WORDS[record]}: ${title}`,
    })),
    { value: `${record} ${ADDED_SECTION}`, label: `${RECORD_WORDS[record]}: a custom section` },
  ]);

/** Returns the record and the section of a place. */
function partsOf(place: string, title: string): Place {
  const [recordName, section = ""] = place.split(" ");
  const record = CUSTOM_RECORDS.find((record) => record === recordName) ?? "form";
  return { record, section: section === ADDED_SECTION ? title.trim() || NO_TITLE : section };
}

/** Returns the other items of the section that a custom field is in. */
const neighborsIn = (place: Place, path: string) =>
  unitsOf(sectionAt(place)?.main.items ?? []).filter(({ item }) => item.path !== path);

/** Returns the paths of a section in order, with the field at its position. */
function orderWith(place: Place, path: string, position: string): string[] {
  const units = neighborsIn(place, path);
  const after = units.findIndex(({ item }) => item.path === position);
  const at = position === FIRST ? 0 : after === -1 ? units.length : after + 1;
  return flat(units.toSpliced(at, 0, { item: { path }, beneath: [] })).map((item) => item.path);
}

function positionOf(field: CustomField): string {
  const units = unitsOf(sectionAt(field)?.main.items ?? []);
  const at = units.findIndex(({ item }) => item.path === customFieldPath(field));
  return at === units.length - 1 ? LAST : (units[at - 1]?.item.path ?? FIRST);
}

const valuesOf = (field: CustomField | null, place?: Place): Values => ({
  place: field ? placeOf(field) : place ? placeOf(place) : null,
  title: [field ?? place].flatMap((at) => (at && isAddedSection(at) ? [at.section] : []))[0] ?? "",
  position: field ? positionOf(field) : LAST,
  label: field?.label ?? "",
  hint: field?.hint ?? "",
  kind: field?.kind ?? null,
  requiredFrom: field?.requiredFrom ?? null,
  sensitive: field?.sensitive ?? false,
  formTypeIds: [...(field?.formTypeIds ?? [])],
  choices: (field?.choices ?? []).map(({ id, label, retiredFrom }) => ({ choiceId: id, label, retiredFrom })),
});

type Props = {
  field: CustomField | null;
  place?: Place;
  definitions: Definitions;
  lists: FormLists;
  /** Returns the label of a field or a part of a section. */
  labelAt: (path: string) => string;
  canMove: (path: string) => boolean;
  onAdded: (field: CustomField) => void;
  onClose: () => void;
};

const hasChoices = (kind: CustomKind | null) => kind === "choice" || kind === "choices";
const inAddedSection = (place: string | null) => place?.endsWith(ADDED_SECTION) ?? false;

/** Returns the field as it is sent. */
const bodyOf = (
  { place, title, position: _, kind, choices, ...values }: Values & { place: string; kind: CustomKind },
  field: CustomField | null,
) => ({
  field: {
    ...values,
    ...partsOf(place, title),
    kind,
    // A line that was added and left blank is not a choice.
    choices: hasChoices(kind)
      ? choices.flatMap(({ choiceId, ...choice }) =>
          choiceId === undefined && !choice.label.trim() ? [] : [{ id: choiceId, ...choice }],
        )
      : [],
    retiredFrom: field?.retiredFrom ?? null,
    lockVersion: field?.lockVersion,
  },
});

/** Returns the state of the dialog's form, and a function that checks and saves it. */
function useCustomField({ field, place: firstPlace, canMove, onAdded, onClose }: Props) {
  const router = useRouter();
  const notify = useNotify();
  // Computed only once, because the draft may move the field.
  const [initial] = useState(() => valuesOf(field, firstPlace));
  const form = useForm<Values>({ defaultValues: initial });
  const { messages, setMessages, busy, run } = useFailure();

  /** The field is already saved. If this fails, the field stays where it was, and the arrows can move it. */
  const moveTo = (at: Place, path: string, position: string) =>
    call("PUT /api/field_order", {
      body: {
        fieldOrder: { fields: orderWith(at, path, position).filter((one) => one === path || canMove(one)) },
      },
    }).catch((error: unknown) => notify.error(messagesOf(error)));

  /** Saves the field at its position. The notification can undo it. */
  async function store(values: Parameters<typeof bodyOf>[0]): Promise<void> {
    const { place, title, position } = values;
    const body = bodyOf(values, field);
    const { field: saved } = await (field
      ? call("PUT /api/fields/{id}", { params: { id: field.id }, body })
      : call("POST /api/fields", { body }));
    const path = customFieldPath(saved);
    // A field that moves to another section comes last there.
    const before = field && field.section === saved.section ? initial.position : LAST;
    if (position !== before) await moveTo(partsOf(place, title), path, position);
    notify.done(
      undoable(`${field ? "Changed" : "Added"} ${values.label}`, async () => {
        if (field) {
          await putField(field, saved);
          if (position !== before || before !== initial.position) await moveTo(field, path, initial.position);
        } else await call("DELETE /api/fields/{id}", { params: { id: saved.id } });
        router.refresh();
      }),
    );
    if (!field) onAdded(saved);
    onClose();
    router.refresh();
  }

  const send = form.handleSubmit(({ place, kind, ...values }) => {
    const missing = (["label", "place", "kind"] as const).filter((name) => !form.getValues(name));
    const lacksTitle = inAddedSection(place) && !values.title.trim();
    const lacksChoice = hasChoices(kind) && !values.choices.some(({ label }) => label.trim());
    if (lacksTitle) form.setError("title", { message: "Section Title is required" });
    for (const name of missing) form.setError(name, { message: `${capitalize(name)} is required` });
    if (lacksChoice) setMessages(["Add at least one choice"]);
    if (!place || !kind || lacksTitle || lacksChoice || missing.length > 0) return;
    return run(
      () => store({ ...values, place, kind }),
      (error) => applyServerErrors(form, error, "field"),
    );
  });

  return {
    form,
    messages,
    busy,
    /** Clears errors first: an error without a control would block every later save. */
    save() {
      form.clearErrors();
      void send();
    },
  };
}

/** Changes a custom field, or adds one to a place if `field` is null. */
export function CustomFieldDialog(props: Props) {
  const { field, definitions, lists, labelAt, onClose } = props;
  const { form, messages, busy, save } = useCustomField(props);
  const values = useWatch({ control: form.control, compute: (values: Values) => values });
  const { place, kind } = values;
  const path = customFieldPath({ record: place?.split(" ")[0] ?? "form", key: field?.key ?? NEW_KEY });

  return (
    <Dialog
      open
      wide="widest"
      onClose={onClose}
      title={field ? field.label : "Add a field"}
      description="Colleagues see your changes the next time they open a form or client."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={busy} onClick={save}>
            Save
          </Button>
        </>
      }
    >
      <div className={FIELD_AND_PREVIEW}>
        <FormProvider {...form}>
          <UnsavedGuard unsaved={form.formState.isDirty} />
          <form
            method="post"
            className="stack"
            noValidate
            data-unsaved={form.formState.isDirty || undefined}
            onSubmit={(event) => {
              event.preventDefault();
              save();
            }}
          >
            <ErrorAlert messages={messages} />
            <TextField name="label" label="Label" required />
            <KindAndPlace field={field} />
            {hasChoices(kind) && <ChoiceList />}
            {place && (
              <SelectField
                name="position"
                label="Position"
                noEmpty
                options={[
                  { value: LAST, label: "At the end of the section" },
                  { value: FIRST, label: "At the beginning" },
                  ...neighborsIn(partsOf(place, values.title), path)
                    .slice(0, -1)
                    .map(({ item }) => ({ value: item.path, label: `After ${labelAt(item.path)}` })),
                ]}
              />
            )}
            <TextField name="hint" label="Hint" />
            {kind !== null && kind !== "flag" && <RequiredFrom />}
            <CheckboxField
              name="sensitive"
              label="Sensitive"
              hint="Also delete this answer when a client is purged. Text and dates are always deleted."
            />
            <CheckboxGroupField
              name="formTypeIds"
              label="Form Types"
              hint="If you choose none, every form type that has the section includes the field."
              options={lists.formTypes.map(({ id, name }) => ({ value: id, label: name }))}
            />
          </form>
        </FormProvider>
        {place && kind ? (
          <Draft key={`${place} ${kind}`} {...{ path, field, definitions, values, lists }} />
        ) : (
          <p className="text-muted text-sm">Choose a kind and a place to see a preview.</p>
        )}
      </div>
    </Dialog>
  );
}

/** The kind of the field and its place, with a title if that is a custom section. */
function KindAndPlace({ field }: { field: CustomField | null }) {
  const { setValue, getValues } = useFormContext<Values>();
  const place = useWatch<Values, "place">({ name: "place" });
  return (
    <>
      <div className="grid gap-4 md:grid-cols-2">
        <SelectField
          name="kind"
          label="Kind"
          required
          disabled={field !== null}
          hint={field ? "The kind of a saved field cannot be changed." : undefined}
          options={CUSTOM_KINDS.map((value) => ({ value, label: KIND_WORDS[value] }))}
          placeholder="-- Select --"
          onValueChange={(value) => {
            const needsChoices = value === "choice" || value === "choices";
            if (needsChoices && getValues("choices").length === 0)
              setValue("choices", [BLANK_CHOICE, BLANK_CHOICE]);
          }}
        />
        <SelectField
          name="place"
          label="Place"
          required
          options={placeOptions(field)}
          placeholder="-- Select --"
          onValueChange={() => setValue("position", LAST)}
        />
      </div>
      {inAddedSection(place) && (
        <TextField
          name="title"
          label="Section Title"
          required
          hint="Fields with the same section title share a section."
        />
      )}
    </>
  );
}

/** Previews the field with the values entered so far. */
function Draft({
  field,
  path,
  definitions,
  values,
  lists,
}: {
  field: CustomField | null;
  path: string;
  definitions: Definitions;
  values: Values;
  lists: FormLists;
}) {
  const text = JSON.stringify(values);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text has all values
  const draft = useMemo((): Definitions => {
    const { place, title, position, label, kind, choices, ...others } = values;
    const at = partsOf(place ?? "form ", title);
    const drafted: CustomField = {
      id: 0,
      key: NEW_KEY,
      retiredFrom: null,
      lockVersion: 0,
      ...field,
      ...others,
      ...at,
      kind: kind ?? "text",
      label: label.trim() || "Label",
      requiredFrom: parseDate(others.requiredFrom ?? ""),
      choices: choices.flatMap(({ choiceId, label, retiredFrom }, at) =>
        label.trim() ? [{ id: choiceId ?? -1 - at, label: label.trim(), retiredFrom }] : [],
      ),
    };
    const order = orderWith(at, path, position);
    return {
      ...definitions,
      fields: [...definitions.fields.filter(({ key }) => key !== drafted.key), drafted],
      order: withOrder(definitions.order, order),
    };
  }, [text, field, path, definitions]);
  useDraftDefinitions(definitions, draft);
  return <FieldPreview path={path} lists={lists} />;
}

/**
 * Changes a custom field from `now` to another state, such as an earlier one, and returns it. A choice that `now` no longer
 * has is added as a new one. Throws 409 if the field was changed since `now`.
 */
export async function putField({ id, ...state }: CustomField, now: CustomField): Promise<CustomField> {
  const kept = new Set(now.choices.map((choice) => choice.id));
  const choices = state.choices.map(({ id, ...choice }) => ({ ...choice, ...(kept.has(id) && { id }) }));
  const { lockVersion } = now;
  const { field } = await call("PUT /api/fields/{id}", {
    params: { id },
    body: { field: { ...state, formTypeIds: [...state.formTypeIds], choices, lockVersion } },
  });
  return field;
}

/** The choices of a field, in order. */
function ChoiceList() {
  const { fields, append, remove, move, update } = useFieldArray<Values, "choices">({ name: "choices" });
  const values = useWatch<Values, "choices">({ name: "choices" });
  return (
    <FieldSet legend="Choices *" className="flex flex-col gap-2">
      {fields.map(({ id }, at) => {
        const choice = values[at];
        const retired = choice ? isRetired(choice) : false;
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: Enter in a choice moves the focus to the next one
          <div
            key={id}
            className="flex flex-wrap items-end gap-x-1"
            onKeyDown={(event) => {
              if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
              event.preventDefault();
              if (at === fields.length - 1) append(BLANK_CHOICE);
              else event.currentTarget.nextElementSibling?.querySelector("input")?.focus();
            }}
          >
            <TextField
              className="min-w-0 flex-1"
              name={`choices.${at}.label`}
              label={`Choice ${at + 1}`}
              hideLabel
              hint={retired && choice?.retiredFrom ? `Retired as of ${date(choice.retiredFrom)}` : undefined}
            />
            <IconButton
              label={`Move choice ${at + 1} up`}
              icon={<ChevronIcon direction="up" />}
              disabled={at === 0}
              onClick={onFirstClick(() => move(at, at - 1))}
            />
            <IconButton
              label={`Move choice ${at + 1} down`}
              icon={<ChevronIcon direction="down" />}
              disabled={at === fields.length - 1}
              onClick={onFirstClick(() => move(at, at + 1))}
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
            <IconButton
              label={`Remove choice ${at + 1}`}
              icon={<TrashIcon />}
              onClick={onFirstClick(() => remove(at))}
            />
          </div>
        );
      })}
      <div>
        <Button size="sm" icon={<PlusIcon />} onClick={() => append(BLANK_CHOICE)}>
          Add a choice
        </Button>
      </div>
    </FieldSet>
  );
}
