"use client";

import type { ReactNode } from "react";
import { useController, useFormContext } from "react-hook-form";
import { type Option, SelectOptions } from "./controls";
import { Field, type FieldProps, FieldSet, LabelText, Messages, useField } from "./field";
import { CheckGrid } from "./section";

/** A checkbox. Value: boolean. */
export function CheckboxField({
  name,
  label,
  required,
  needed,
  description,
  hint = description,
  disabled,
  readOnly,
  hideError,
  hideLabel,
  className,
  onValueChange,
}: FieldProps<boolean> & { description?: ReactNode }) {
  const state = useField({ name, hint, required, needed });
  const { onChange, ...registered } = useFormContext().register(name);
  return (
    <div className={className}>
      <label className="flex min-h-control w-fit items-center gap-2.5 py-1">
        <input
          {...registered}
          {...state.control}
          type="checkbox"
          className="check"
          disabled={disabled || readOnly}
          onChange={(event) => {
            void onChange(event);
            onValueChange?.(event.target.checked);
          }}
        />
        <span className={hideLabel ? "sr-only" : undefined}>
          <LabelText label={label} required={required} needed={needed} />
        </span>
      </label>
      {/* Below the words of the box. */}
      <div className="pl-7.5 [&>p]:-mt-1 [&>p]:mb-1">
        <Messages state={state} hint={hint} hideError={hideError} />
      </div>
    </div>
  );
}

type Chosen = Option["value"] | null;

/** The most letters of options, such as those of states, in a narrow select. */
const SHORT_LETTERS = 3;

/** A select. Value: that of the chosen option (a number stays a number); null for the empty option. */
export function SelectField({
  options,
  placeholder = "",
  noEmpty = false,
  name,
  disabled,
  readOnly,
  onValueChange,
  ...field
}: FieldProps<Chosen> & { options: Option[]; placeholder?: string; noEmpty?: boolean }) {
  const state = useField({ name, ...field });
  // Controlled, so that a value is shown once its option arrives.
  const { field: controlled } = useController({ name });
  const isShort = options.length > 0 && options.every(({ label }) => label.length <= SHORT_LETTERS);
  return (
    <Field {...field} state={state}>
      <select
        {...state.control}
        ref={controlled.ref}
        name={name}
        className={isShort ? "control max-w-20" : "control"}
        disabled={disabled || readOnly}
        value={controlled.value ?? ""}
        onBlur={controlled.onBlur}
        onChange={(event) => {
          const chosen = options.find(({ value }) => String(value) === event.target.value)?.value ?? null;
          controlled.onChange(chosen);
          onValueChange?.(chosen);
        }}
      >
        <SelectOptions options={options} placeholder={noEmpty ? null : placeholder} />
      </select>
    </Field>
  );
}

/** A group of checkboxes. Value: the values of the checked options, in the order of the options. */
export function CheckboxGroupField({
  options,
  selectAll = false,
  part,
  name,
  label,
  required,
  needed,
  hint,
  disabled,
  readOnly,
  hideError,
  className,
  onValueChange,
}: FieldProps<Option["value"][]> & {
  options: Option[];
  selectAll?: boolean;
  /** Distinguishes groups that share one field. */
  part?: string;
}) {
  const state = useField({ name, hint, required, needed, part });
  const { field: controlled } = useController({ name });
  const selection = new Set<Option["value"]>(controlled.value ?? []);
  const customValues = new Set(options.map(({ value }) => value));
  const all = options.length > 0 && options.every(({ value }) => selection.has(value));

  /** Changes only the given options; values that belong to another group of the field stay. */
  function set(values: Option["value"][], checked: boolean) {
    const next = new Set(selection);
    for (const value of values) checked ? next.add(value) : next.delete(value);
    const others = [...next].filter((value) => !customValues.has(value));
    const ours = options.map(({ value }) => value).filter((value) => next.has(value));
    controlled.onChange([...others, ...ours]);
    onValueChange?.([...others, ...ours]);
  }

  return (
    <FieldSet
      className={className}
      legend={<LabelText label={label} required={required} needed={needed} />}
      aria-describedby={state.control["aria-describedby"]}
    >
      {selectAll && (
        <label className="flex min-h-control w-fit items-center gap-2.5 text-muted">
          <input
            type="checkbox"
            className="check"
            ref={(box) => {
              if (box) box.indeterminate = !all && options.some(({ value }) => selection.has(value));
            }}
            disabled={disabled || readOnly}
            checked={all}
            onChange={(event) => set([...customValues], event.target.checked)}
          />
          Select all
        </label>
      )}
      <CheckGrid>
        {options.map(({ value, label: words, hint: about }, index) => (
          <div key={value}>
            <label className="flex min-h-control items-start gap-2.5 py-[calc((var(--control-height)-1lh)/2)]">
              <input
                id={index === 0 ? state.id : undefined}
                ref={index === 0 ? controlled.ref : undefined}
                type="checkbox"
                name={name}
                className="check mt-px"
                aria-invalid={state.invalid || undefined}
                disabled={disabled || readOnly}
                aria-describedby={about ? `${state.id}-${value}-hint` : undefined}
                checked={selection.has(value)}
                onBlur={controlled.onBlur}
                onChange={(event) => set([value], event.target.checked)}
              />
              {words}
            </label>
            {about && (
              <p id={`${state.id}-${value}-hint`} className="-mt-1 mb-1 pl-7.5 text-muted text-sm">
                {about}
              </p>
            )}
          </div>
        ))}
      </CheckGrid>
      <Messages state={state} hint={hint} hideError={hideError} />
    </FieldSet>
  );
}
