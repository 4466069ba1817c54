"use client";

import { useRouter } from "next/navigation";
import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { FormProvider } from "react-hook-form";
import type { Choices } from "@/components/record/choices";
import { RecordFields } from "@/components/record/record-fields";
import { recordResolver } from "@/components/record/record-form";
import {
  copyOf,
  emptyListWords,
  fieldsOfEntry,
  namesSame,
  onWire,
  recordWords,
  valuesOf,
} from "@/components/record/record-text";
import { screenOf } from "@/components/record/screens";
import { useSentForm } from "@/components/record/use-record-form";
import { ErrorAlert } from "@/components/ui/alert";
import { Button, LinkButton } from "@/components/ui/controls";
import { FieldScope, fieldId } from "@/components/ui/field";
import { FormBody } from "@/components/ui/form-body";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import type { SessionUser } from "@/lib/core/access/permissions";
import { call } from "@/lib/core/api/client";
import { creation } from "@/lib/core/api/creation";
import type { Field, ListName } from "@/lib/core/fields/facts";
import { isRecord } from "@/lib/core/objects";
import { to } from "@/lib/core/pages";
import { type RecordDeclaration, recordTitle } from "@/lib/core/records/declaration";
import { today } from "@/lib/core/text/format";
import type { RecordItem, RecordValues } from "@/lib/declared-records/api-schema";
import { type RecordKey, records } from "@/lib/records/registry";

/** Creates one record, and never two. */
const recordCreation = (list: RecordKey) =>
  creation({
    create: async (body: { [entity: string]: RecordValues }, options) => {
      const response = await call(`POST /api/${list}`, { ...options, body: onWire(records[list], body) });
      return response[records[list].entity];
    },
    async update(created, body, options) {
      if (!created) return created;
      const sent = onWire(records[list], body);
      const response = await call(`PUT /api/${list}/{id}`, {
        ...options,
        params: { id: created.id },
        body: sent,
      });
      return response[records[list].entity];
    },
  });

export type EntryProps = {
  list: RecordKey;
  choices: Choices;
  /** The user, who owns what is recorded. */
  user: Pick<SessionUser, "permissions" | "userId">;
  /** The record that the entry begins as a copy of, or null. */
  copied?: RecordItem | null;
};

/** Returns the values of a new record. A number without a value is blank instead of 0. */
function newValues(declaration: RecordDeclaration, prefilled: RecordValues): RecordValues {
  const blanks = Object.entries(valuesOf(declaration)).map(([name, value]) => [
    name,
    value === 0 ? null : value,
  ]);
  return { ...Object.fromEntries(blanks), [declaration.day]: today(), ...prefilled };
}

/** Selects the number in a focused control, so that typing replaces it. */
function selectNumber({ target }: FocusEvent) {
  if (target instanceof HTMLInputElement && target.inputMode === "numeric") target.select();
}

/** In a select, Enter would do nothing. */
function submitFromSelect(event: KeyboardEvent<HTMLFormElement>) {
  if (event.key !== "Enter" || !(event.target instanceof HTMLSelectElement)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

/**
 * Returns the form of a quick entry. After each record, the focus is back in the first field; the day and the first choice
 * from a list stay.
 */
function useRecordEntry({ list, choices, user, copied = null, onCopyRecorded }: KeyedProps) {
  const declaration = records[list];
  const { day, entity } = declaration;
  const screen = screenOf(list);
  const router = useRouter();
  const prefilled = screen.prefilled?.(choices, user.userId) ?? {};
  const [of, setOf] = useState(copied);
  const { main, details } = fieldsOfEntry(declaration);
  const values = { ...newValues(declaration, prefilled), ...(of && copyOf(declaration, of, choices)) };
  const { form, messages, sending, send } = useSentForm({
    entity,
    mode: "onSubmit",
    values,
    resolver: recordResolver(declaration),
  });
  const [create, setCreate] = useState(() => recordCreation(list));
  // The line shows one row, so a copy that records the minutes of others begins with all of them.
  const [showsDetails, setShowsDetails] = useState(() => !namesSame(declaration, values, prefilled));
  const [done, setDone] = useState({ count: 0, text: "" });
  const element = useRef<HTMLFormElement>(null);
  const prefilledDay = useRef(today());
  // A change of a wrong value is checked at once, also by the calendar. Before *Record*, the form itself would not.
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback({ name }) {
          if (!name || !form.getFieldState(name).invalid) return;
          if (form.getValues(name)) void form.trigger(name);
          else form.clearErrors(name);
        },
      }),
    [form],
  );

  /** After midnight the prefilled day becomes the new day. A day that the user chose stays. */
  function moveDayOn() {
    const before = prefilledDay.current;
    const now = today();
    prefilledDay.current = now;
    if (before !== now && form.getValues(day) === before) form.resetField(day, { defaultValue: now });
  }

  async function record(values: RecordValues) {
    const sent = await send(() => create({ [entity]: values }));
    if (!sent) {
      show([...main, ...details].filter(({ name }) => form.getFieldState(name).invalid));
      return;
    }
    const created = sent.result;
    const text = created ? (screen.words?.(created) ?? recordWords(declaration, created)) : "";
    setDone(({ count }) => ({ count: count + 1, text: `Recorded: ${text}` }));
    // The next record is another one, even if it is the same.
    setCreate(() => recordCreation(list));
    const kept = [day, main.find(({ facts }) => facts.kind === "lookup")?.name ?? day];
    form.reset({
      ...newValues(declaration, prefilled),
      ...Object.fromEntries(kept.map((name) => [name, values[name]])),
    });
    moveDayOn();
    setShowsDetails(false);
    flushSync(() => setOf(null));
    // After a reset, the form knows its controls only once they are rendered again.
    element.current?.querySelector<HTMLElement>("input, select, textarea")?.focus();
    if (!of) {
      router.refresh();
      return;
    }
    onCopyRecorded();
    router.replace(to("recordsList", { records: list }));
  }

  /** Shows the fields that were refused, and focuses the first. Typing replaces its value. */
  function show(invalid: readonly Field[]) {
    if (invalid.some((field) => details.includes(field))) flushSync(() => setShowsDetails(true));
    if (invalid[0])
      form.setFocus(pathIn(invalid[0].name, form.getFieldState(invalid[0].name).error), {
        shouldSelect: true,
      });
  }
  const refuse = (errors: object) => show([...main, ...details].filter(({ name }) => name in errors));

  return {
    form,
    element,
    fields: { main, details },
    prefilled,
    copied: of,
    messages,
    sending,
    done,
    showsDetails,
    toggleDetails: () => setShowsDetails((now) => !now),
    moveDayOn,
    submit: form.handleSubmit(record, refuse),
  };
}

/** Returns the path of a field with this error, or of the first of its rows that has one. */
function pathIn(name: string, error: unknown): string {
  const at = Array.isArray(error) ? error.findIndex(isRecord) : -1;
  const [inRow] = Array.isArray(error) && isRecord(error[at]) ? Object.keys(error[at]) : [];
  return inRow === undefined ? name : `${name}.${at}.${inRow}`;
}

/** Returns a list without records that a required field of the quick entry is chosen from; undefined if there is none. */
const emptyList = (fields: readonly Field[], choices: Choices): ListName | undefined =>
  fields.flatMap(({ facts }) =>
    facts.kind === "lookup" && facts.required && !choices[facts.list]?.length ? [facts.list] : [],
  )[0];

/** Says that a list has no records to choose from, and leads to a new one or says who can add one. */
function NothingToChoose({ list, user }: { list: ListName; user: EntryProps["user"] }) {
  const { words, adds } = emptyListWords(list, user);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="text-muted">{words}</p>
      {adds && <LinkButton href={to("listNew", { list })}>{adds}</LinkButton>}
    </div>
  );
}

type KeyedProps = EntryProps & { begins?: boolean; onCopyRecorded: () => void };

/**
 * Records one record after the other in one line: the fields of the list, and on request the others. With `begins`, the
 * first field is focused initially; in a copy, the first one without a value. Another copy begins another entry.
 */
export function RecordEntryForm(props: EntryProps & { begins?: boolean }) {
  const copiedId = props.copied?.id;
  const [entry, setEntry] = useState({ copiedId, key: 0, isRecorded: false });
  // The page has no copy after one was recorded, but the entry must keep its message and its focus.
  if (entry.copiedId !== copiedId)
    setEntry({ copiedId, key: entry.isRecorded ? entry.key : entry.key + 1, isRecorded: false });
  const onCopyRecorded = () => setEntry((now) => ({ ...now, isRecorded: true }));
  return <KeyedEntryForm key={entry.key} {...props} onCopyRecorded={onCopyRecorded} />;
}

function KeyedEntryForm({ begins = false, ...props }: KeyedProps) {
  const { list, choices, user } = props;
  const declaration = records[list];
  const { entity, words } = declaration;
  const entry = useRecordEntry(props);
  const { main, details } = entry.fields;
  const { Copied } = screenOf(list);
  // A copy begins with the first value that it does not have.
  const toType = main.find(({ name }) => name !== declaration.day && !declaration.copied?.includes(name));
  const missing = emptyList(main, choices);
  if (missing) return <NothingToChoose list={missing} user={user} />;
  const inFields = { choices, prefilled: entry.prefilled, emptyWords: screenOf(list).emptyWords };
  return (
    <FieldScope value={`new-${entity}`}>
      <FormProvider {...entry.form}>
        <UnsavedGuard unsaved={entry.form.formState.isDirty} />
        <form
          ref={entry.element}
          // The shortcut for a new record finds the form by this attribute.
          data-quick-entry={list}
          aria-label={recordTitle(declaration)}
          noValidate
          className="stack"
          onFocus={(event) => {
            entry.moveDayOn();
            selectNumber(event);
          }}
          onBlur={({ target }) => {
            // Blank fields stay calm, because many pass them on their way to the list.
            if (target instanceof HTMLInputElement && target.value !== "")
              void entry.form.trigger(target.name);
          }}
          onSubmit={entry.submit}
          onKeyDown={submitFromSelect}
        >
          <FormBody
            busy={entry.sending}
            begins={begins || (entry.copied !== null && toType && fieldId(`new-${entity}-${toType.name}`))}
          >
            {entry.copied && Copied && <Copied of={entry.copied} />}
            <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
              <RecordFields
                fields={main.filter((field) => !entry.showsDetails || !details.includes(field))}
                inLine
                {...inFields}
              />
              {/* At the end of the last line of controls, which have a label above them. */}
              <div className="ms-auto flex justify-end gap-x-3 max-sm:w-full sm:pt-6">
                {details.length > 0 && (
                  <Button aria-expanded={entry.showsDetails} onClick={entry.toggleDetails}>
                    Details
                  </Button>
                )}
                <Button type="submit" variant="primary" busy={entry.sending}>
                  Record
                </Button>
              </div>
            </div>
            {entry.showsDetails && (
              <div className="flex w-full flex-wrap items-start gap-x-3 gap-y-2">
                <RecordFields fields={details} inLine {...inFields} prefilled={{}} />
              </div>
            )}
          </FormBody>
          <ErrorAlert messages={entry.messages} />
          <div className="flex flex-wrap justify-between gap-x-6 gap-y-1 text-sm">
            <p className="text-muted">{words.notice}</p>
            <p role="status" key={entry.done.count}>
              {entry.done.text}
            </p>
          </div>
        </form>
      </FormProvider>
    </FieldScope>
  );
}
