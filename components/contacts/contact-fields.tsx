"use client";

import { type ReactNode, useId } from "react";
import type { ContactField, ContactProblems, ContactValues } from "@/components/contacts/values";
import { type Option, SelectOptions } from "@/components/ui/controls";
import { DayControl } from "@/components/ui/day-control";
import { GENDERS } from "@/lib/clients/words";
import type { ContactChoices } from "@/lib/contacts/schema";
import { CONTACT_LABELS, TURNED_AWAY_REASONS } from "@/lib/contacts/words";
import { latestDay } from "@/lib/core/fields/format";

type Part = {
  values: ContactValues;
  problems: ContactProblems;
  choices: ContactChoices;
  onChange: (changed: Partial<ContactValues>) => void;
};

type TextName = Exclude<ContactField, "shelterRequested">;

const options = (items: readonly { id: number; name: string }[]): Option[] =>
  items.map(({ id, name }) => ({ value: id, label: name }));

/** Label, control and problem of one field. */
function Labelled({
  name,
  label,
  problem,
  className,
  children,
}: {
  name: TextName;
  label: string;
  problem: string | undefined;
  className: string;
  children: (control: {
    id: string;
    name: string;
    "aria-invalid"?: true;
    "aria-describedby"?: string;
  }) => ReactNode;
}) {
  const id = useId();
  return (
    <div className={`min-w-0 ${className}`}>
      <label htmlFor={id} className="mb-1 block font-medium text-sm">
        {label}
      </label>
      {children({ id, name, ...(problem && { "aria-invalid": true, "aria-describedby": `${id}-error` }) })}
      {problem && (
        <p id={`${id}-error`} className="mt-1 text-danger text-sm">
          {problem}
        </p>
      )}
    </div>
  );
}

function SelectControl({
  name,
  label,
  className = "",
  options,
  placeholder = null,
  values,
  problems,
  onChange,
}: Omit<Part, "choices"> & {
  name: TextName;
  label: string;
  className?: string;
  options: Option[];
  placeholder?: string | null;
}) {
  return (
    <Labelled name={name} label={label} problem={problems[name]} className={className}>
      {(control) => (
        <select
          {...control}
          className="control"
          value={values[name]}
          onChange={(event) => onChange({ [name]: event.target.value })}
          onKeyDown={(event) => {
            // In a select, Enter would do nothing.
            if (event.key !== "Enter") return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        >
          <SelectOptions options={options} placeholder={placeholder} />
        </select>
      )}
    </Labelled>
  );
}

function NumberControl({
  name,
  label,
  className = "",
  values,
  problems,
  onChange,
}: Omit<Part, "choices"> & { name: TextName; label: string; className?: string }) {
  return (
    <Labelled name={name} label={label} problem={problems[name]} className={className}>
      {(control) => (
        <input
          {...control}
          type="text"
          inputMode="numeric"
          autoComplete="off"
          className="control"
          value={values[name]}
          // Typing replaces the number that is there.
          onFocus={(event) => event.target.select()}
          onChange={(event) => onChange({ [name]: event.target.value })}
        />
      )}
    </Labelled>
  );
}

/** The fields that every contact has, in one line on wide screens. */
export function MainFields({ choices, ...part }: Part) {
  const { values, problems, onChange } = part;
  return (
    <>
      <SelectControl
        {...part}
        name="contactKindId"
        label={CONTACT_LABELS.contactKind}
        className="flex-1 basis-32"
        options={options(choices.contactKinds)}
      />
      <NumberControl {...part} name="number" label={CONTACT_LABELS.number} className="w-20" />
      <NumberControl {...part} name="minutes" label={CONTACT_LABELS.minutes} className="w-20" />
      <Labelled
        name="contactedOn"
        label={CONTACT_LABELS.contactedOn}
        problem={problems.contactedOn}
        className="w-40"
      >
        {(control) => (
          <DayControl
            {...control}
            label={CONTACT_LABELS.contactedOn}
            max={latestDay()}
            value={values.contactedOn}
            onChange={(contactedOn) => onChange({ contactedOn })}
          />
        )}
      </Labelled>
    </>
  );
}

/** The optional fields about a caller, and a request for shelter. */
export function MoreFields({ choices, ...part }: Part) {
  const { values, onChange } = part;
  return (
    <div className="flex w-full flex-wrap items-start gap-x-3 gap-y-2">
      <SelectControl
        {...part}
        name="ageBracketId"
        label={CONTACT_LABELS.ageBracket}
        className="flex-1 basis-40"
        options={options(choices.ageBrackets)}
        placeholder=""
      />
      <SelectControl
        {...part}
        name="gender"
        label={CONTACT_LABELS.gender}
        className="flex-1 basis-40"
        options={GENDERS.map((gender) => ({ value: gender, label: gender }))}
      />
      <SelectControl
        {...part}
        name="referralSourceId"
        label={CONTACT_LABELS.referralSource}
        className="flex-1 basis-40"
        options={choices.referralSources.map(({ id, code }) => ({ value: id, label: code }))}
        placeholder=""
      />
      <label className="flex min-h-control w-full items-center gap-2.5">
        <input
          type="checkbox"
          className="check"
          name="shelterRequested"
          checked={values.shelterRequested}
          onChange={(event) => onChange({ shelterRequested: event.target.checked })}
        />
        {CONTACT_LABELS.shelterRequested}
      </label>
      {values.shelterRequested && (
        <>
          <NumberControl {...part} name="adults" label={CONTACT_LABELS.adults} className="w-20" />
          <NumberControl {...part} name="children" label={CONTACT_LABELS.children} className="w-20" />
          <SelectControl
            {...part}
            name="turnedAwayReason"
            label={CONTACT_LABELS.turnedAwayReason}
            className="flex-1 basis-40"
            options={[...TURNED_AWAY_REASONS]}
            placeholder="No, sheltered"
          />
        </>
      )}
    </div>
  );
}
