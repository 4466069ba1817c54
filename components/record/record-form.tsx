"use client";

import { useRouter } from "next/navigation";
import { useRef, useState, useTransition } from "react";
import { FormProvider, useForm, useWatch } from "react-hook-form";
import type { Choices } from "@/components/record/choices";
import { FieldControl } from "@/components/record/field-control";
import { askedValues, enteredFields, recordWords, valuesOf } from "@/components/record/record-text";
import { useConflict } from "@/components/record/use-conflict";
import { ErrorAlert } from "@/components/ui/alert";
import { Button, LinkButton } from "@/components/ui/controls";
import { FormBody, useSending } from "@/components/ui/form-body";
import { Notice } from "@/components/ui/notice";
import { useNotify } from "@/components/ui/notifications";
import { schemaResolver } from "@/components/ui/resolver";
import { FieldGrid, Section } from "@/components/ui/section";
import { applyServerErrors } from "@/components/ui/server-errors";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { call, isCode, messagesOf } from "@/lib/core/api/client";
import { creation } from "@/lib/core/api/creation";
import { type Field, type FieldKind, isAsked } from "@/lib/core/fields/facts";
import { capitalize, today } from "@/lib/core/fields/format";
import { closedMessage } from "@/lib/forms/words";
import type { RecordItem, RecordValues } from "@/lib/records/api-schema";
import { type RecordKey, records } from "@/lib/records/registry";

/** Returns the state of a record's form, and a function that sends its values. */
function useRecordForm(list: RecordKey, initial: RecordValues, mode: "onBlur" | "onSubmit") {
  const { entity, schema } = records[list];
  const [messages, setMessages] = useState<string[]>([]);
  const { sending, send } = useSending();
  const resolver = schemaResolver<RecordValues, RecordValues>(schema);
  const form = useForm<RecordValues, unknown, RecordValues>({
    mode,
    defaultValues: initial,
    resolver: (values, ...more) => resolver(askedValues(list, values), ...more),
  });
  return {
    form,
    messages,
    setMessages,
    sending,
    /** Sends a body with `call`. Shows why it was refused, and returns the error; null if it was saved. */
    async save(values: RecordValues, call: (body: { [entity: string]: RecordValues }) => Promise<unknown>) {
      setMessages([]);
      try {
        await send(() => call({ [entity]: values }));
        return null;
      } catch (error) {
        setMessages(applyServerErrors(form, error, entity));
        return error;
      }
    },
  };
}

/** The form of a stored record. */
export function RecordForm({
  list,
  record,
  choices,
  closed,
  back,
}: {
  list: RecordKey;
  record: RecordItem;
  choices: Choices;
  /** The last closed day if the record can no longer be changed; otherwise null. */
  closed: string | null;
  /** The URL of the list as the user left it. */
  back: string;
}) {
  const { words } = records[list];
  const router = useRouter();
  const notify = useNotify();
  const [base, setBase] = useState(record);
  const [isOutdated, setOutdated] = useState(false);
  const { conflict, ...conflicts } = useConflict();
  const [leaving, startLeaving] = useTransition();
  const { form, messages, setMessages, sending, save } = useRecordForm(
    list,
    valuesOf(list, record),
    "onBlur",
  );
  const busy = sending || leaving;
  const { isDirty } = form.formState;

  async function update(values: RecordValues) {
    setOutdated(false);
    const { id, lockVersion } = base;
    const error = await save({ ...values, lockVersion }, (body) =>
      call(`PUT /api/${list}/{id}`, { params: { id }, body }),
    );
    setOutdated(isCode(error, "conflict_version"));
    if (error !== null) return;
    form.reset(values);
    notify.success(`Updated ${words.record} successfully`);
    startLeaving(() => {
      router.push(back);
      router.refresh();
    });
  }

  /** Lets the user choose between the values that someone else has saved and the typed ones. */
  async function compare() {
    try {
      const { readRecordConflict } = await import("@/components/record/record-conflict");
      await conflicts.open(
        readRecordConflict(list, base, form.getValues(), choices, (values, stored) => {
          form.reset(values, { keepDefaultValues: true });
          setBase(stored);
          setMessages([]);
          setOutdated(false);
        }),
      );
    } catch (error) {
      setMessages(messagesOf(error));
    }
  }

  return (
    <FormProvider {...form}>
      <UnsavedGuard unsaved={isDirty} />
      <form className="stack max-w-3xl" noValidate onSubmit={form.handleSubmit(update)}>
        <FormBody busy={busy} frozen={closed !== null}>
          <ErrorAlert messages={messages} />
          {closed && (
            <Notice title="Closed month">
              <p>{closedMessage(closed)}.</p>
            </Notice>
          )}
          <Section title={capitalize(words.record)} description={words.notice}>
            <FieldGrid>
              {enteredFields(list).map((field) => (
                <RecordField key={field.name} {...{ field, choices }} wide="col-span-full" />
              ))}
            </FieldGrid>
          </Section>
          <div className="form-actions">
            {isOutdated && <Button onClick={() => void compare()}>Compare and choose</Button>}
            <LinkButton href={back}>{closed ? "Back" : "Cancel"}</LinkButton>
            {!closed && (
              <Button type="submit" variant="primary" busy={busy}>
                Update
              </Button>
            )}
          </div>
        </FormBody>
      </form>
      {conflict && (
        <conflict.Dialog
          message={messages.join(" ")}
          found={conflict.found}
          onClose={conflicts.close}
          onMerge={conflict.merge}
        />
      )}
    </FormProvider>
  );
}

/** Creates one record, and never two. */
const recordCreation = (list: RecordKey) =>
  creation({
    create: async (body: { [entity: string]: RecordValues }, options) => {
      const response = await call(`POST /api/${list}`, { ...options, body });
      return response[records[list].entity];
    },
    async update(created, body, options) {
      if (!created) return created;
      const response = await call(`PUT /api/${list}/{id}`, { ...options, params: { id: created.id }, body });
      return response[records[list].entity];
    },
  });

/**
 * Records one record after the other in one line. After each, the focus is back in the first field; the day and the first
 * choice from a list stay.
 */
export function RecordEntry({ list, choices }: { list: RecordKey; choices: Choices }) {
  const { day, words } = records[list];
  const router = useRouter();
  const blank = { ...valuesOf(list), [day]: today() };
  const { form, messages, sending, save } = useRecordForm(list, blank, "onSubmit");
  const [create, setCreate] = useState(() => recordCreation(list));
  const [done, setDone] = useState({ count: 0, text: "" });
  const screen = useRef<HTMLFormElement>(null);
  const prefilledDay = useRef(blank[day]);
  const { isDirty } = form.formState;
  const ofDay = ({ name }: Field) => name === day;
  const fields = enteredFields(list).toSorted((a, b) => Number(ofDay(a)) - Number(ofDay(b)));

  /** After midnight the prefilled day becomes the new day. A day that the user chose stays. */
  function moveDayOn() {
    const [before, now] = [prefilledDay.current, today()];
    prefilledDay.current = now;
    if (before !== now && form.getValues(day) === before) form.resetField(day, { defaultValue: now });
  }

  async function record(values: RecordValues) {
    let created: RecordItem | undefined;
    const error = await save(values, async (body) => {
      created = await create(body);
    });
    if (error !== null) return;
    const text = created ? recordWords(list, created) : "";
    setDone(({ count }) => ({ count: count + 1, text: `Recorded: ${text}` }));
    // The next record is another one, even if it is the same.
    setCreate(() => recordCreation(list));
    const kept = [day, fields.find(({ facts }) => facts.kind === "lookup")?.name ?? day];
    form.reset({ ...blank, ...Object.fromEntries(kept.map((name) => [name, values[name]])) });
    moveDayOn();
    // After a reset, the form knows its controls only once they are rendered again.
    screen.current?.querySelector<HTMLElement>("input, select, textarea")?.focus();
    router.refresh();
  }

  const title = `Record ${withArticle(words.record)}`;
  return (
    <div className="print-hidden">
      <Section title={title}>
        <FormProvider {...form}>
          <UnsavedGuard unsaved={isDirty} />
          <form
            ref={screen}
            aria-label={title}
            noValidate
            className="stack"
            onFocus={moveDayOn}
            onSubmit={form.handleSubmit(record)}
            onKeyDown={(event) => {
              // In a select, Enter would do nothing.
              if (event.key !== "Enter" || !(event.target instanceof HTMLSelectElement)) return;
              event.preventDefault();
              event.currentTarget.requestSubmit();
            }}
          >
            <FormBody busy={sending}>
              <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
                {fields.map((field) => (
                  <RecordField key={field.name} {...{ field, choices }} width={WIDTHS} wide="basis-full" />
                ))}
                {/* Next to the controls, which have a label above them. */}
                <Button type="submit" variant="primary" busy={sending} className="mt-6">
                  Record
                </Button>
              </div>
            </FormBody>
            <ErrorAlert messages={messages} />
            <div className="flex flex-wrap justify-between gap-x-6 gap-y-1 text-sm">
              <p className="text-muted">{words.notice}</p>
              <p role="status" key={done.count}>
                {done.text}
              </p>
            </div>
          </form>
        </FormProvider>
      </Section>
    </div>
  );
}

const withArticle = (words: string) => `${/^[aeiou]/i.test(words) ? "an" : "a"} ${words}`;

/** The widths of controls in one line. */
const WIDTHS: Partial<Record<FieldKind, string>> = {
  day: "w-40",
  minutes: "w-28",
  count: "w-28",
  whole: "w-28",
  money: "w-32",
  flag: "pt-6",
};

const WIDE: ReadonlySet<FieldKind> = new Set(["longText", "lookups", "choices"]);

/** A field of a record, while its boxes ask for it. `wide` is the class of a field that needs a line of its own. */
function RecordField({
  field: { name, facts },
  choices,
  width,
  wide,
}: {
  field: Field;
  choices: Choices;
  width?: typeof WIDTHS;
  wide: string;
}) {
  const asked = useWatch({ compute: (values: RecordValues) => isAsked(facts, values) });
  if (!asked) return null;
  const inLine = width && (width[facts.kind] ?? "flex-1 basis-40");
  const className = WIDE.has(facts.kind) ? wide : inLine;
  return <FieldControl {...{ name, facts, choices, className }} />;
}
