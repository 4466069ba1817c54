"use client";

import { useRouter } from "next/navigation";
import { useMemo, useState } from "react";
import { FormProvider, useFieldArray, useForm, useWatch } from "react-hook-form";
import { useDraftDefinitions } from "@/components/record/use-definitions";
import { FIELD_AND_PREVIEW, FieldPreview } from "@/components/settings/fields/form-preview";
import { sectionAt } from "@/components/settings/fields/layout";
import { isOwnSection, KIND_WORDS, programPlaces } from "@/components/settings/fields/places";
import { RequiredFrom } from "@/components/settings/fields/required-from";
import { undoable } from "@/components/settings/fields/undoable";
import { ErrorAlert } from "@/components/ui/alert";
import { CheckboxField, CheckboxGroupField, SelectField } from "@/components/ui/choice-fields";
import { Button, IconButton } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { FieldSet } from "@/components/ui/field";
import { ChevronIcon, PlusIcon, TrashIcon } from "@/components/ui/icons";
import { useNotify } from "@/components/ui/notifications";
import { applyServerErrors } from "@/components/ui/server-errors";
import { TextField } from "@/components/ui/text-fields";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { useFailure } from "@/components/ui/use-failure";
import { call, messagesOf } from "@/lib/core/api/client";
import {
  type Definitions,
  OWN_KINDS,
  OWN_RECORDS,
  type OwnField,
  type OwnKind,
} from "@/lib/core/fields/definitions";
import { capitalize, date, parseDate, today } from "@/lib/core/fields/format";
import { flat, ownFieldPath, unitsOf, withOrder } from "@/lib/core/fields/in-order";
import { isRetired } from "@/lib/core/fields/required";
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
  kind: OwnKind | null;
  requiredFrom: string | null;
  sensitive: boolean;
  formTypeIds: number[];
  choices: ChoiceValues[];
};

type Place = Pick<OwnField, "record" | "section">;
const OWN_PLACE = "*";
const FIRST = "first";
const LAST = "last";
/** The title of a section in the preview before it is entered. */
const NO_TITLE = "Section Title";
/** The key of a field that is not saved yet. The key of a saved field has no hyphen. */
const NEW_KEY = "new-field";
const placeOf = (field: Place): string =>
  `${field.record} ${isOwnSection(field) ? OWN_PLACE : field.section}`;
const RECORD_WORDS = { client: "Client", form: "Form" };

/** Returns the places that a field can have: those of its record, or of both for a new one. */
const placeOptions = (field: OwnField | null) =>
  OWN_RECORDS.filter((record) => !field || field.record === record).flatMap((record) => [
    ...programPlaces(record).map(({ section, title }) => ({
      value: `${record} ${section}`,
      label: `${RECORD_WORDS[record]}: ${title}`,
    })),
    { value: `${record} ${OWN_PLACE}`, label: `${RECORD_WORDS[record]}: a custom section` },
  ]);

/** Returns the record and the section of a place. */
function partsOf(place: string, title: string): Place {
  const [recordName, section = ""] = place.split(" ");
  const record = OWN_RECORDS.find((record) => record === recordName) ?? "form";
  return { record, section: section === OWN_PLACE ? title.trim() || NO_TITLE : section };
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

function positionOf(field: OwnField): string {
  const units = unitsOf(sectionAt(field)?.main.items ?? []);
  const at = units.findIndex(({ item }) => item.path === ownFieldPath(field));
  return at === units.length - 1 ? LAST : (units[at - 1]?.item.path ?? FIRST);
}

const valuesOf = (field: OwnField | null, place?: Place): Values => ({
  place: field ? placeOf(field) : place ? placeOf(place) : null,
  title: [field ?? place].flatMap((at) => (at && isOwnSection(at) ? [at.section] : []))[0] ?? "",
  position: field ? positionOf(field) : LAST,
  label: field?.label ?? "",
  hint: field?.hint ?? "",
  kind: field?.kind ?? null,
  requiredFrom: field?.requiredFrom ?? null,
  sensitive: field?.sensitive ?? false,
  formTypeIds: [...(field?.formTypeIds ?? [])],
  choices: (field?.choices ?? []).map(({ id, label, retiredFrom }) => ({ choiceId: id, label, retiredFrom })),
});

/** Changes a custom field, or adds one to a place if `field` is null. */
export function OwnFieldDialog({
  field,
  place: firstPlace,
  definitions,
  lists,
  labelAt,
  canMove,
  onAdded,
  onClose,
}: {
  field: OwnField | null;
  place?: Place;
  definitions: Definitions;
  lists: FormLists;
  /** Returns the label of a field or a part of a section. */
  labelAt: (path: string) => string;
  canMove: (path: string) => boolean;
  onAdded: (field: OwnField) => void;
  onClose: () => void;
}) {
  const router = useRouter();
  const notify = useNotify();
  // Computed only once, because the draft may move the field.
  const [initial] = useState(() => valuesOf(field, firstPlace));
  const form = useForm<Values>({ defaultValues: initial });
  const { messages, setMessages, busy, run } = useFailure();
  const values = useWatch({ control: form.control, compute: (values: Values) => values });
  const { place, kind } = values;
  const isOwnPlace = place?.endsWith(OWN_PLACE) ?? false;
  const hasChoices = kind === "choice" || kind === "choices";
  const draftPath = ownFieldPath({ record: place?.split(" ")[0] ?? "form", key: field?.key ?? NEW_KEY });

  const send = form.handleSubmit(({ place, title, position, kind, choices, ...values }) => {
    const missing = (["label", "place", "kind"] as const).filter((name) => !form.getValues(name));
    const hasChoice = !hasChoices || choices.some(({ label }) => label.trim());
    if (isOwnPlace && !title.trim()) form.setError("title", { message: "Section Title is required" });
    for (const name of missing) form.setError(name, { message: `${capitalize(name)} is required` });
    if (!hasChoice) setMessages(["Add at least one choice"]);
    if (!place || !kind || !hasChoice || missing.length > 0 || (isOwnPlace && !title.trim())) return;
    return run(
      async () => {
        const at = partsOf(place, title);
        const body = {
          field: {
            ...values,
            ...at,
            kind,
            // A line that was added and left blank is not a choice.
            choices: hasChoices
              ? choices.flatMap(({ choiceId, ...choice }) =>
                  choiceId === undefined && !choice.label.trim() ? [] : [{ id: choiceId, ...choice }],
                )
              : [],
            retiredFrom: field?.retiredFrom ?? null,
            lockVersion: field?.lockVersion,
          },
        };
        const { field: saved } = await (field
          ? call("PUT /api/fields/{id}", { params: { id: field.id }, body })
          : call("POST /api/fields", { body }));
        const path = ownFieldPath(saved);
        // A field that moves to another section comes last there.
        const before = field && field.section === saved.section ? initial.position : LAST;
        if (position !== before) await moveTo(at, path, position);
        notify.done(
          undoable(`${field ? "Changed" : "Added"} ${values.label}`, async () => {
            if (field) {
              await putField(field, saved);
              if (position !== before || before !== initial.position)
                await moveTo(field, path, initial.position);
            } else await call("DELETE /api/fields/{id}", { params: { id: saved.id } });
            router.refresh();
          }),
        );
        if (!field) onAdded(saved);
        onClose();
        router.refresh();
      },
      (error) => applyServerErrors(form, error, "field"),
    );
  });

  /** The field is already saved. If this fails, the field stays where it was, and the arrows can move it. */
  const moveTo = (at: Place, path: string, position: string) =>
    call("PUT /api/field_order", {
      body: {
        fieldOrder: { fields: orderWith(at, path, position).filter((one) => one === path || canMove(one)) },
      },
    }).catch((error: unknown) => notify.error(messagesOf(error)));
  /** Clears errors first: an error without a control would block every later save. */
  function save() {
    form.clearErrors();
    void send();
  }

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
            <div className="grid gap-4 md:grid-cols-2">
              <SelectField
                name="kind"
                label="Kind"
                required
                disabled={field !== null}
                hint={field ? "The kind of a saved field cannot be changed." : undefined}
                options={OWN_KINDS.map((value) => ({ value, label: KIND_WORDS[value] }))}
                placeholder="-- Select --"
                onValueChange={(value) => {
                  const needsChoices = value === "choice" || value === "choices";
                  if (needsChoices && form.getValues("choices").length === 0)
                    form.setValue("choices", [BLANK_CHOICE, BLANK_CHOICE]);
                }}
              />
              <SelectField
                name="place"
                label="Place"
                required
                options={placeOptions(field)}
                placeholder="-- Select --"
                onValueChange={() => form.setValue("position", LAST)}
              />
            </div>
            {isOwnPlace && (
              <TextField
                name="title"
                label="Section Title"
                required
                hint="Fields with the same section title share a section."
              />
            )}
            {hasChoices && <ChoiceList />}
            {place && (
              <SelectField
                name="position"
                label="Position"
                noEmpty
                options={[
                  { value: LAST, label: "At the end of the section" },
                  { value: FIRST, label: "At the beginning" },
                  ...neighborsIn(partsOf(place, values.title), draftPath)
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
          <Draft key={`${place} ${kind}`} path={draftPath} {...{ field, definitions, values, lists }} />
        ) : (
          <p className="text-muted text-sm">Choose a kind and a place to see a preview.</p>
        )}
      </div>
    </Dialog>
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
  field: OwnField | null;
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
    const drafted: OwnField = {
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
export async function putField({ id, ...state }: OwnField, now: OwnField): Promise<OwnField> {
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
        <Button size="sm" icon={<PlusIcon />} onClick={() => append(BLANK_CHOICE)}>
          Add a choice
        </Button>
      </div>
    </FieldSet>
  );
}
