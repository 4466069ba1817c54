"use client";

import { type KeyboardEvent, memo, type ReactNode, useState } from "react";
import { get, useFormContext, useFormState, useWatch } from "react-hook-form";
import { factsAt, showsReferrals } from "@/components/forms/fields";
import { readable } from "@/components/forms/rows";
import { HOTEL_SHELTER, VIDEOCONFERENCING } from "@/components/forms/sections/services";
import type { Minutes, Row } from "@/components/forms/values";
import type { Choices } from "@/components/record/choices";
import { SectionFields } from "@/components/record/section-fields";
import { Button } from "@/components/ui/controls";
import { Messages, useField } from "@/components/ui/field";
import { Markdown } from "@/components/ui/markdown";
import { TextField } from "@/components/ui/text-fields";
import { parseMinutes } from "@/lib/core/text/format";
import { services } from "@/lib/forms/sections/services";

export const STEP_MINUTES = 15;

export const rowName = (key: string) => `form.serviceEntry.rows.${key}`;

export const SERVICES_TABLE = "services-table";

/** A grid, because browsers cannot skip layout and painting of ordinary table rows that are out of view. */
export const ROW =
  "not-[[hidden]]:grid items-start grid-cols-[minmax(0,1fr)_auto] sm:grid-cols-[minmax(0,1fr)_25%_11rem]";

function minuteInputs(): HTMLInputElement[] {
  const inputs = document.querySelectorAll<HTMLInputElement>(`#${SERVICES_TABLE} input[data-minutes]`);
  return [...inputs].filter((input) => input.offsetParent !== null);
}

type RowProps = { row: Row; choices: Choices; uncounted: boolean };

export const ServiceRow = memo(function ServiceRow({ hidden, ...props }: RowProps & { hidden: boolean }) {
  const name = `${rowName(props.row.key)}.minutes`;
  const { errors } = useFormState({ name: rowName(props.row.key) });
  const invalid = get(errors, rowName(props.row.key)) !== undefined;
  const minutes: Minutes | undefined = useWatch({ name });
  const { code } = props.row;
  const video =
    services.showsVideoconferencing(code, readable(minutes)) && VIDEOCONFERENCING.groups.length > 0;
  const hotel = services.showsHotelShelter(code) && HOTEL_SHELTER.groups.length > 0;
  const spent = services.isSpent(readable(minutes));
  // An invalid row is shown despite the filter, because it blocks the save.
  const isHidden = hidden && !invalid;
  return (
    <>
      <tr
        hidden={isHidden}
        className={`border-line border-t [contain-intrinsic-size:auto_3rem] [content-visibility:auto] ${ROW}`}
      >
        <RowCells {...props} minutes={minutes ?? null} />
      </tr>
      {(hotel || video) && (
        <tr hidden={isHidden} className="not-[[hidden]]:block">
          <td colSpan={3} className="block px-2 pb-3">
            <div className="stack">
              {hotel && (
                <RowDetail label={code.code}>
                  <details open={spent}>
                    <summary className="min-h-6 w-fit text-muted text-sm">{HOTEL_SHELTER.title}</summary>
                    <SectionFields
                      spec={HOTEL_SHELTER}
                      prefix={`${rowName(props.row.key)}.hotelShelterEntry`}
                      choices={props.choices}
                    />
                    {!spent && <KeptWithMinutes />}
                  </details>
                </RowDetail>
              )}
              {video && (
                <RowDetail label={code.code}>
                  <SectionFields
                    spec={VIDEOCONFERENCING}
                    prefix={`${rowName(props.row.key)}.videoconferencingEntry`}
                    choices={props.choices}
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

const KeptWithMinutes = () => <p className="text-muted text-sm">Saved only if you enter minutes.</p>;

function ReferralNote({ name }: { name: string }) {
  return useWatch({ name }) ? <KeptWithMinutes /> : null;
}

function RowDetail({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the fieldset is inside; this one only names its code
    <div role="group" aria-label={label} className="border-accent border-l-2 pl-3">
      {children}
    </div>
  );
}

/** On a phone, a referral and its minutes are below the code. */
const RowCells = memo(function RowCells({ row, uncounted, minutes }: RowProps & { minutes: Minutes }) {
  const { code, offered } = row;
  const referral = factsAt("form.serviceEntry.rows.any.referrals");
  const hasReferral = code.hasReferral && showsReferrals();
  return (
    <>
      <th
        scope="row"
        className={`min-w-0 px-2 py-1 text-left font-normal max-sm:pr-0 sm:self-center ${hasReferral ? "max-sm:col-span-full" : ""}`}
      >
        {code.description && (
          <Markdown text={code.description} className="inline wrap-anywhere [&>p:only-child]:inline" />
        )}{" "}
        <span className="whitespace-nowrap text-muted text-sm">{code.code}</span>
        {uncounted && <p className="text-sm text-warning">Not counted in Magisterial Court</p>}
        {!offered && <p className="text-muted text-sm">No longer offered for this form type</p>}
      </th>
      <td className="px-2 py-1 max-sm:empty:hidden">
        {hasReferral && (
          <TextField
            name={`${rowName(row.key)}.referrals`}
            label={`${referral.label} for ${code.code}`}
            hint={referral.hint}
            hideLabel
            placeholder={referral.label}
          />
        )}
        {hasReferral && !services.isSpent(readable(minutes)) && (
          <ReferralNote name={`${rowName(row.key)}.referrals`} />
        )}
      </td>
      <td className="px-2 py-1 max-sm:pr-0">
        <MinutesField name={`${rowName(row.key)}.minutes`} code={code.code} value={minutes} />
      </td>
    </>
  );
});

const minutesText = (value: Minutes) => (value ? String(value) : "");

/** Returns typed text as the form's value. Unreadable text stays, so that the schema refuses it. */
function minutesValue(text: string): Minutes {
  const minutes = parseMinutes(text);
  return Number.isNaN(minutes) ? text : minutes;
}

/** A field for minutes, typed as 75 or 1:15. Arrow keys move between rows and add quarters of an hour. */
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
          inputMode="numeric"
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
          // Keyboard users have Alt+ArrowUp; a tab stop at every code would double the number of tab stops in the
          // table.
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
