"use client";

import { useCallback, useDeferredValue, useId, useRef, useState } from "react";
import { type UseFormReturn, useFormContext, useWatch } from "react-hook-form";
import { visiblePart } from "@/components/forms/check";
import { otherService, servicesHeadings, totalWords } from "@/components/forms/fields";
import { NamedFields } from "@/components/forms/named-fields";
import { hasMinutes, minutesLeftOut, readable } from "@/components/forms/rows";
import { ROW, rowName, SERVICES_TABLE, ServiceRow, STEP_MINUTES } from "@/components/forms/service-row";
import { useSettled } from "@/components/forms/use-settled";
import {
  type FormValues,
  formTypeOf,
  isMagisterialMode,
  type Row,
  type Rules,
} from "@/components/forms/values";
import type { FieldInForm } from "@/components/record/custom-fields";
import { ErrorAlert } from "@/components/ui/alert";
import { Button } from "@/components/ui/controls";
import { fieldId } from "@/components/ui/field";
import { InTurn } from "@/components/ui/in-turn";
import { focusField } from "@/components/ui/open-section";
import { useShortcut } from "@/components/ui/shortcuts";
import { duration } from "@/lib/core/text/format";
import { recordsNoTime } from "@/lib/forms/schema";
import { services } from "@/lib/forms/sections/services";
import { formMessages } from "@/lib/forms/words";
import type { ServiceCode } from "@/lib/lookups/api-schema";

/** The rows that the server renders at once: a form can have 500. */
const ROWS_AT_ONCE = 50;

const matches = ({ code }: Row, text: string) =>
  `${code.code} ${code.description}`.toLowerCase().includes(text.trim().toLowerCase());

/** The services table with its total, and the service without a code. */
export function ServicesSection({
  rules,
  custom,
  loading,
  failure,
  knownCodes,
  onRetry,
}: {
  rules: Rules;
  /** The organization's custom fields of the section. */
  custom: readonly FieldInForm[];
  loading: boolean;
  /** The error text if the codes could not be loaded. */
  failure: readonly string[] | null;
  knownCodes: () => ServiceCode[];
  onRetry: () => void;
}) {
  return (
    <>
      {failure && (
        <div className="stack">
          <ErrorAlert messages={["The service codes could not be loaded.", ...failure]} />
          <div>
            <Button onClick={onRetry}>Try again</Button>
          </div>
        </div>
      )}
      {loading && <p role="status">Loading service codes…</p>}
      <ServicesTable rules={rules} isRead={!loading && failure === null} />
      {!loading && failure === null && <LeftOut rules={rules} knownCodes={knownCodes} />}
      <NamedFields names={otherService()} custom={custom} choices={rules.choices} />
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

/** Lists minutes entered for another form type, so that they do not vanish without notice. */
function LeftOut({ rules, knownCodes }: { rules: Rules; knownCodes: () => ServiceCode[] }) {
  const omissions = useSettled(useCallback((values: FormValues) => minutesLeftOut(values, rules), [rules]));
  const codeOf = (id: number) => knownCodes().find((code) => code.id === id)?.code ?? "another code";
  return (
    <p role="status" className="text-warning empty:hidden">
      {omissions.length > 0 &&
        `Not offered for this form type, so not saved: ${omissions.map(([id, minutes]) => `${codeOf(id)} (${duration(Number(minutes))})`).join(", ")}.`}
    </p>
  );
}

function ServicesTable({ rules, isRead }: { rules: Rules; isRead: boolean }) {
  const form: UseFormReturn<FormValues> = useFormContext();
  const [filter, setFilter] = useState("");
  const text = useDeferredValue(filter);
  // The codes at the time the box was checked: a row must not vanish while its minutes are being retyped.
  const [only, setOnly] = useState<ReadonlySet<number> | null>(null);
  const magisterialMode = useWatch({
    compute: (values: FormValues) =>
      isMagisterialMode(
        formTypeOf(values.form.formTypeId, rules.lists),
        values.form.intakeForm.legalAdvocacyEntry,
      ),
  });
  const hintId = useId();
  const filterField = useRef<HTMLInputElement>(null);
  useShortcut("Ctrl+M", "Go to the services of the form", () => focusField(filterField.current));
  const isShown = (row: Row, filter: string) => matches(row, filter) && (only?.has(row.code.id) ?? true);
  const visibility = rules.rows.map((row) => isShown(row, text));

  function toggleOnly(ticked: boolean) {
    const values = form.getValues("form.serviceEntry.rows");
    const kept = rules.rows.filter(({ key }) => hasMinutes(values[key]));
    setOnly(ticked ? new Set(kept.map(({ code }) => code.id)) : null);
  }

  const headings = servicesHeadings();
  return (
    <div className="flex flex-col gap-2">
      <input
        ref={filterField}
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
          // Uses the current text, because the rows may still be catching up.
          const typed = event.currentTarget.value;
          const first = rules.rows.find((row) => isShown(row, typed));
          if (first) document.getElementById(fieldId(`${rowName(first.key)}.minutes`))?.focus();
        }}
      />
      <p id={hintId} className="text-muted text-sm">
        Enter minutes as 75 or 1:15.
        <span className="max-sm:hidden pointer-coarse:hidden">
          {" "}
          <kbd>↑</kbd> <kbd>↓</kbd> <kbd>Enter</kbd> move between codes. <kbd>Alt</kbd>+<kbd>↑</kbd> adds{" "}
          {STEP_MINUTES} minutes, and <kbd>Alt</kbd>+<kbd>↓</kbd> subtracts them.
        </span>
      </p>
      <table
        id={SERVICES_TABLE}
        className="block [&>:is(thead,tbody,tfoot)]:block [&>tfoot_:is(tr,td)]:block"
        aria-describedby={hintId}
      >
        <thead className="sticky top-(--below-header) z-1">
          <tr className={`bg-subtle text-left text-sm max-sm:sr-only ${ROW}`}>
            <th className="px-2 py-1.5">{headings.code}</th>
            {headings.referral && <th className="px-2 py-1.5">{headings.referral}</th>}
            <th className="col-start-3 px-2 py-1.5">{headings.minutes}</th>
          </tr>
        </thead>
        <tbody>
          {rules.rows.map((row, index) => (
            <InTurn key={row.key} turn={Math.floor(index / ROWS_AT_ONCE)}>
              <ServiceRow
                row={row}
                choices={rules.choices}
                hidden={!visibility[index]}
                uncounted={magisterialMode && !row.code.canBeMagistrate}
              />
            </InTurn>
          ))}
        </tbody>
        <tfoot className="sticky bottom-22 sm:bottom-16">
          <tr>
            <td colSpan={3} className="border-line border-t bg-surface px-2 py-2 text-right font-semibold">
              {!visibility.includes(true) && isRead && (
                <span className="mr-6 font-normal text-muted">
                  {rules.rows.length === 0 ? "No service codes are offered." : "No matching codes."}
                </span>
              )}
              <Total rules={rules} magisterialMode={magisterialMode} />
            </td>
          </tr>
        </tfoot>
      </table>
      <label className="flex min-h-control w-fit items-center gap-2.5">
        <input
          type="checkbox"
          className="check"
          checked={only !== null}
          onChange={(event) => toggleOnly(event.target.checked)}
        />
        Show only services with minutes
      </label>
    </div>
  );
}

function Total({ rules, magisterialMode }: { rules: Rules; magisterialMode: boolean }) {
  const rows: FormValues["form"]["serviceEntry"]["rows"] = useWatch({ name: "form.serviceEntry.rows" });
  // Includes only the visible rows. Rows of another form type stay, but are neither counted nor sent.
  const timedRows = rules.rows.map(({ key, code }) => ({
    minutes: readable(rows[key]?.minutes),
    serviceCodeId: code.id,
  }));
  return <output>{totalWords(services.totalMinutes(timedRows, rules.codes, magisterialMode))}</output>;
}
