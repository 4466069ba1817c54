"use client";

import { type KeyboardEvent, memo, useCallback, useDeferredValue, useId, useState } from "react";
import { get, type UseFormReturn, useFormContext, useFormState, useWatch } from "react-hook-form";
import { SectionFields } from "@/components/forms/fields";
import { HOTEL_SHELTER, VIDEOCONFERENCING } from "@/components/forms/sections/services";
import { useSettled } from "@/components/forms/use-settled";
import {
  type FormValues,
  formTypeOf,
  hasMinutes,
  isMagisterialMode,
  type Minutes,
  minutesLeftOut,
  type Row,
  type Rules,
  readable,
  visiblePart,
} from "@/components/forms/values";
import { Button } from "@/components/ui/controls";
import { FieldGrid, fieldId, Messages, NumberField, TextField, useField } from "@/components/ui/field";
import { Markdown } from "@/components/ui/markdown";
import { formMessages, recordsNoTime } from "@/lib/forms/schema";
import { services } from "@/lib/forms/sections/services";
import type { ServiceCode } from "@/lib/forms/types";
import type { FormLists } from "@/lib/lookups/schema";

const STEP_MINUTES = 15;

const rowName = (key: string) => `form.serviceEntry.rows.${key}`;

const matches = ({ code }: Row, text: string) =>
  `${code.code} ${code.description}`.toLowerCase().includes(text.trim().toLowerCase());

/** The services table with its total (spec §2, §4, §5), and the service that has no code. */
export function ServicesSection({
  rules,
  loading,
  failed,
  knownCodes,
  onRetry,
}: {
  rules: Rules;
  loading: boolean;
  failed: boolean;
  knownCodes: () => ServiceCode[];
  onRetry: () => void;
}) {
  return (
    <>
      {failed && (
        <div role="alert" className="flex flex-wrap items-center gap-3 text-danger">
          The service codes could not be loaded.
          <Button size="sm" onClick={onRetry}>
            Try again
          </Button>
        </div>
      )}
      {loading && <p role="status">Loading service codes…</p>}
      <ServicesTable rules={rules} loading={loading} />
      {!loading && !failed && <LeftOut rules={rules} knownCodes={knownCodes} />}
      <FieldGrid>
        <TextField name="form.serviceEntry.otherService" label="Other Service" />
        <NumberField
          name="form.serviceEntry.otherServiceMinutes"
          label="Other Service Minutes"
          max={1440}
          hint="Not part of the total above."
        />
      </FieldGrid>
      <NoTime rules={rules} />
    </>
  );
}

function NoTime({ rules }: { rules: Rules }) {
  const noTime = useSettled(
    useCallback((values: FormValues) => recordsNoTime(visiblePart(values, rules).form), [rules]),
  );
  return (
    <p role="status" className="text-warning empty:hidden">
      {noTime && formMessages.noTime}
    </p>
  );
}

/** Minutes entered before another form type was chosen: nothing that was typed goes without a word. */
function LeftOut({ rules, knownCodes }: { rules: Rules; knownCodes: () => ServiceCode[] }) {
  const left = useSettled(useCallback((values: FormValues) => minutesLeftOut(values, rules), [rules]));
  const codeOf = (id: number) => knownCodes().find((code) => code.id === id)?.code ?? "another code";
  return (
    <p role="status" className="text-warning empty:hidden">
      {left.length > 0 &&
        `Not offered for this form type, so not saved: ${left.map(([id, minutes]) => `${codeOf(id)} (${minutes} minutes)`).join(", ")}.`}
    </p>
  );
}

function ServicesTable({ rules, loading }: { rules: Rules; loading: boolean }) {
  const form: UseFormReturn<FormValues> = useFormContext();
  const [filter, setFilter] = useState("");
  const text = useDeferredValue(filter);
  // Codes of the moment it was ticked: a row must not vanish while its minutes are being retyped.
  const [only, setOnly] = useState<ReadonlySet<number> | null>(null);
  const magisterialMode = useWatch({
    compute: (values: FormValues) =>
      isMagisterialMode(
        formTypeOf(values.form.formTypeId, rules.lists),
        values.form.intakeForm.legalAdvocacyEntry,
      ),
  });
  const hintId = useId();
  const isShown = (row: Row, filter: string) => matches(row, filter) && (only?.has(row.code.id) ?? true);
  const shown = rules.rows.map((row) => isShown(row, text));

  function toggleOnly(ticked: boolean) {
    const values = form.getValues("form.serviceEntry.rows");
    const kept = rules.rows.filter(({ key }) => hasMinutes(values[key]));
    setOnly(ticked ? new Set(kept.map(({ code }) => code.id)) : null);
  }

  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <input
          type="search"
          aria-label="Filter codes"
          placeholder="Filter codes"
          autoComplete="off"
          className="control sm:w-64"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" && event.key !== "ArrowDown") return;
            event.preventDefault();
            // By what is typed now: the rows may still be catching up with it.
            const typed = event.currentTarget.value;
            const first = rules.rows.find((row) => isShown(row, typed));
            if (first) document.getElementById(fieldId(`${rowName(first.key)}.minutes`))?.focus();
          }}
        />
        <label className="flex min-h-control items-center gap-2.5">
          <input
            type="checkbox"
            className="check"
            checked={only !== null}
            onChange={(event) => toggleOnly(event.target.checked)}
          />
          Only codes with minutes
        </label>
      </div>
      <p id={hintId} className="text-muted text-sm">
        Minutes as 75 or 1:15.
        <span className="pointer-coarse:hidden">
          {" "}
          <kbd>↑</kbd> <kbd>↓</kbd> <kbd>Enter</kbd> go from code to code, <kbd>Alt</kbd>+<kbd>↑</kbd> adds{" "}
          {STEP_MINUTES} minutes, <kbd>Alt</kbd>+<kbd>↓</kbd> takes them back.
        </span>
      </p>
      <table
        id={SERVICES_TABLE}
        className="block [&>:is(thead,tbody,tfoot)]:block [&>tfoot_:is(tr,td)]:block"
        aria-describedby={hintId}
      >
        <thead>
          <tr className={`border-line border-b bg-subtle text-left text-sm max-sm:sr-only ${ROW}`}>
            <th className="px-2 py-1.5">Code</th>
            <th className="px-2 py-1.5">Referral</th>
            <th className="px-2 py-1.5">Time Spent (minutes)</th>
          </tr>
        </thead>
        <tbody>
          {rules.rows.map((row, index) => (
            <ServiceRow
              key={row.key}
              row={row}
              lists={rules.lists}
              hidden={!shown[index]}
              uncounted={magisterialMode && !row.code.canBeMagistrate}
            />
          ))}
        </tbody>
        <tfoot className="sticky bottom-18 sm:bottom-16">
          <tr>
            <td colSpan={3} className="border-line border-t bg-surface px-2 py-2 text-right font-semibold">
              {!shown.includes(true) && !loading && (
                <span className="mr-6 font-normal text-muted">
                  {rules.rows.length === 0 ? "No service codes are offered." : "No code matches."}
                </span>
              )}
              <Total rules={rules} magisterialMode={magisterialMode} />
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

const SERVICES_TABLE = "services-table";

/** A grid, because a table's own rows cannot be left out of layout and painting while they are out of sight. */
const ROW = "not-[[hidden]]:grid items-start max-sm:relative sm:grid-cols-[minmax(0,1fr)_25%_11rem]";

function minuteInputs(): HTMLInputElement[] {
  const inputs = document.querySelectorAll<HTMLInputElement>(`#${SERVICES_TABLE} input[data-minutes]`);
  return [...inputs].filter((input) => input.offsetParent !== null);
}

function Total({ rules, magisterialMode }: { rules: Rules; magisterialMode: boolean }) {
  const rows: FormValues["form"]["serviceEntry"]["rows"] = useWatch({ name: "form.serviceEntry.rows" });
  // Only what the table lists: rows of another form type are kept, but neither counted nor sent.
  const listed = rules.rows.map(({ key, code }) => ({
    minutes: readable(rows[key]?.minutes),
    serviceCodeId: code.id,
  }));
  return <output>{services.totalMinutes(listed, rules.codes, magisterialMode)} minutes total</output>;
}

type RowProps = { row: Row; lists: FormLists; uncounted: boolean };

const ServiceRow = memo(function ServiceRow({ hidden, ...props }: RowProps & { hidden: boolean }) {
  const name = `${rowName(props.row.key)}.minutes`;
  const { errors } = useFormState({ name: rowName(props.row.key) });
  const invalid = get(errors, rowName(props.row.key)) !== undefined;
  const minutes = useWatch({ name }) as Minutes | undefined;
  const { code } = props.row;
  const video = services.showsVideoconferencing(code, readable(minutes));
  const hotel = services.showsHotelShelter(code);
  // A row that is wrong shows whatever is filtered: it is what blocks the save.
  const gone = hidden && !invalid;
  return (
    <>
      <tr
        hidden={gone}
        className={`border-line border-t [contain-intrinsic-size:auto_4rem] [content-visibility:auto] ${ROW}`}
      >
        <RowCells {...props} minutes={minutes ?? null} />
      </tr>
      {(hotel || video) && (
        <tr hidden={gone} className="not-[[hidden]]:block">
          <td colSpan={3} className="block px-2 pb-3">
            <div className="stack">
              {hotel && (
                <RowDetail label={code.code}>
                  <SectionFields
                    spec={HOTEL_SHELTER}
                    prefix={`${rowName(props.row.key)}.hotelShelterEntry`}
                    lists={props.lists}
                  />
                  {!services.isSpent(readable(minutes)) && <KeptWithMinutes />}
                </RowDetail>
              )}
              {video && (
                <RowDetail label={code.code}>
                  <SectionFields
                    spec={VIDEOCONFERENCING}
                    prefix={`${rowName(props.row.key)}.videoconferencingEntry`}
                    lists={props.lists}
                  />
                </RowDetail>
              )}
            </div>
          </td>
        </tr>
      )}
    </>
  );
});

const KeptWithMinutes = () => <p className="text-muted text-sm">Kept once there are minutes.</p>;

function ReferralNote({ name }: { name: string }) {
  return useWatch({ name }) ? <KeptWithMinutes /> : null;
}

function RowDetail({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the fieldset is inside; this one only names its code
    <div role="group" aria-label={label} className="border-accent border-l-2 pl-3">
      {children}
    </div>
  );
}

const RowCells = memo(function RowCells({ row, uncounted, minutes }: RowProps & { minutes: Minutes }) {
  const { code, offered } = row;
  return (
    <>
      <th scope="row" className="px-2 py-1.5 text-left font-normal">
        <span className="font-medium max-sm:flex max-sm:min-h-control max-sm:items-center max-sm:pr-36">
          {code.code}
        </span>
        <Markdown text={code.description} className="text-muted text-sm" />
        {uncounted && <p className="text-sm text-warning">Not counted before a magistrate</p>}
        {!offered && <p className="text-muted text-sm">No longer offered for this form type</p>}
      </th>
      <td className="px-2 py-1.5 max-sm:empty:hidden">
        {code.hasReferral && (
          <TextField
            name={`${rowName(row.key)}.referrals`}
            label={`Referral for ${code.code}`}
            hideLabel
            placeholder="Referral"
          />
        )}
        {code.hasReferral && !services.isSpent(readable(minutes)) && (
          <ReferralNote name={`${rowName(row.key)}.referrals`} />
        )}
      </td>
      {/* Beside the code where there is little room, unless it has an error to show. */}
      <td className="px-2 py-1.5 max-sm:not-has-[[aria-invalid=true]]:absolute max-sm:top-0 max-sm:right-0">
        <MinutesField name={`${rowName(row.key)}.minutes`} code={code.code} value={minutes} />
      </td>
    </>
  );
});

const minutesText = (value: Minutes) => (value ? String(value) : "");

/** What was typed as the form's value; what cannot be read stays as it is, for the schema to refuse. */
function minutesValue(text: string): Minutes {
  const minutes = services.parseMinutes(text);
  return Number.isNaN(minutes) ? text : minutes;
}

/** Minutes, typed as 75 or 1:15; the keys walk the table and add quarters of an hour. */
function MinutesField({ name, code, value }: { name: string; code: string; value: Minutes }) {
  const form = useFormContext();
  const state = useField({ name });
  const [typed, setTyped] = useState(minutesText(value));
  const text = (minutesValue(typed) ?? 0) === (value ?? 0) ? typed : minutesText(value);

  function set(next: Minutes) {
    form.setValue(name, next);
    if (state.invalid) void form.trigger(name);
  }

  function add(step: number) {
    const next = Math.max(0, (readable(value) ?? 0) + step);
    setTyped(minutesText(next));
    set(next);
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, Enter: 1 };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    if (event.altKey && event.key !== "Enter") return add(-step * STEP_MINUTES);
    const inputs = minuteInputs();
    const next =
      inputs[inputs.indexOf(event.currentTarget) + (event.key === "Enter" && event.shiftKey ? -step : step)];
    next?.focus();
    next?.select();
  }

  return (
    <div className="w-32 sm:w-40">
      <div className="flex gap-1">
        <input
          {...state.control}
          data-minutes=""
          type="text"
          inputMode="text"
          autoComplete="off"
          aria-label={`Minutes for ${code}`}
          className="control text-right tabular-nums"
          value={text}
          onChange={(event) => {
            setTyped(event.target.value);
            set(minutesValue(event.target.value));
          }}
          onBlur={() => {
            setTyped(minutesText(value));
            void form.trigger(name);
          }}
          onKeyDown={onKeyDown}
        />
        <Button
          size="sm"
          // The keyboard has Alt+ArrowUp; a stop at every code would double the way through the table.
          tabIndex={-1}
          aria-label={`Add ${STEP_MINUTES} minutes to ${code}`}
          onClick={() => add(STEP_MINUTES)}
        >
          +{STEP_MINUTES}
        </Button>
      </div>
      <Messages state={state} />
    </div>
  );
}
