"use client";

import { type ChangeEvent, type ComponentProps, type ReactNode, useId, useRef, useState } from "react";
import {
  type FieldError,
  type FieldValues,
  get,
  type Path,
  type UseFormReturn,
  useController,
  useFormContext,
  useFormState,
} from "react-hook-form";
import { ApiError, messagesOf } from "@/lib/api/client";
import { date, type MaskName, masks, parseDate } from "@/lib/fields/format";
import { Calendar } from "./calendar";
import { IconButton, type Option, SelectOptions } from "./controls";
import { Dialog } from "./dialog";
import { AlertIcon, CalendarIcon } from "./icons";

export type { Option };

type FieldProps<Value> = {
  /** Path in the form. */
  name: string;
  label: string;
  /** Marks the label with a star; whether a value is needed is the schema's to say. */
  required?: boolean;
  hint?: ReactNode;
  disabled?: boolean;
  readOnly?: boolean;
  /** The error's words for assistive technology only, the red for everyone (spec §5, lookup screens). */
  hideError?: boolean;
  hideLabel?: boolean;
  className?: string;
  /** Called after the form holds the new value. */
  onValueChange?: (value: Value) => void;
};

/** The id of a field's control: where an error summary links to. */
export function fieldId(name: string): string {
  return `field-${name.replace(/[^\w-]/g, "-")}`;
}

/** The error of one field, and the attributes that tie label, hint and error to its control. */
export function useField({
  name,
  hint,
  required,
  part,
}: Pick<FieldProps<never>, "name" | "hint" | "required"> & { part?: string }) {
  const { errors } = useFormState({ name });
  const found: (FieldError & { root?: FieldError }) | undefined = get(errors, name);
  const error = found?.message ?? found?.root?.message;
  const invalid = found !== undefined;
  const id = fieldId(part ? `${name}-${part}` : name);
  const described = [hint ? `${id}-hint` : "", invalid ? `${id}-error` : ""].filter(Boolean).join(" ");
  return {
    id,
    invalid,
    error,
    control: {
      id,
      "aria-invalid": invalid || undefined,
      "aria-required": required || undefined,
      "aria-describedby": described || undefined,
    },
  };
}

type FieldState = ReturnType<typeof useField>;

function LabelText({ label, required }: { label: string; required?: boolean }) {
  return (
    <>
      {label}
      {required && (
        <span aria-hidden="true" className="text-danger">
          {" *"}
        </span>
      )}
    </>
  );
}

/** Hint and error of one field. */
export function Messages({
  state,
  hint,
  hideError,
}: {
  state: FieldState;
  hint?: ReactNode;
  hideError?: boolean;
}) {
  return (
    <>
      {hint && (
        <p id={`${state.id}-hint`} className="mt-1 text-muted text-sm">
          {hint}
        </p>
      )}
      {state.invalid && (
        <p
          id={`${state.id}-error`}
          className={hideError ? "sr-only" : "mt-1 flex items-start gap-1.5 text-danger text-sm"}
        >
          <span className="pt-0.5">
            <AlertIcon />
          </span>
          <span className="whitespace-pre-line">{state.error || "Invalid value"}</span>
        </p>
      )}
    </>
  );
}

/** Label, control, hint and error of one field. */
export function Field({
  state,
  label,
  required,
  hint,
  hideLabel,
  hideError,
  className,
  children,
}: Omit<FieldProps<never>, "name"> & { state: FieldState; children: ReactNode }) {
  return (
    <div className={className}>
      <label htmlFor={state.id} className={hideLabel ? "sr-only" : "mb-1 block font-medium text-sm"}>
        <LabelText label={label} required={required} />
      </label>
      {children}
      <Messages state={state} hint={hint} hideError={hideError} />
    </div>
  );
}

/** Rewrites what stands in the input by its mask, leaving the caret behind the digit it stood behind. */
function applyMask(input: HTMLInputElement, mask: MaskName) {
  const caret = input.selectionStart ?? input.value.length;
  const atEnd = caret === input.value.length;
  const digitsBefore = input.value.slice(0, caret).replace(/\D/g, "").length;
  input.value = masks[mask](input.value);
  if (atEnd) return;
  let position = 0;
  for (let seen = 0; seen < digitsBefore && position < input.value.length; position++) {
    if (/\d/.test(input.value.charAt(position))) seen++;
  }
  input.setSelectionRange(position, position);
}

type InputProps = Pick<ComponentProps<"input">, "autoComplete" | "maxLength" | "placeholder" | "autoFocus">;

/** One line of text; with a `mask` it is shaped while it is typed. Value: string. */
export function TextField({
  mask,
  type = "text",
  autoComplete = "off",
  onValueChange,
  name,
  disabled,
  readOnly,
  maxLength,
  placeholder,
  autoFocus,
  ...field
}: FieldProps<string> & InputProps & { mask?: MaskName; type?: "text" | "email" | "password" | "tel" }) {
  const state = useField({ name, ...field });
  // `disabled` stays out of register: there it would blank the value.
  const { onChange, ...registered } = useFormContext().register(name);
  return (
    <Field {...field} state={state}>
      <input
        {...registered}
        {...state.control}
        type={type}
        className="control"
        {...{ autoComplete, maxLength, placeholder, autoFocus, disabled, readOnly }}
        onChange={(event) => {
          if (mask) applyMask(event.target, mask);
          void onChange(event);
          onValueChange?.(event.target.value);
        }}
      />
    </Field>
  );
}

/** Several lines of text. Value: string. */
export function TextAreaField({
  rows = 4,
  onValueChange,
  name,
  disabled,
  readOnly,
  maxLength,
  placeholder,
  ...field
}: FieldProps<string> & { rows?: number; maxLength?: number; placeholder?: string }) {
  const state = useField({ name, ...field });
  const { onChange, ...registered } = useFormContext().register(name);
  return (
    <Field {...field} state={state}>
      <textarea
        {...registered}
        {...state.control}
        className="control field-sizing-content max-h-96"
        // Growing with its text, it would start with one line whatever `rows` says.
        style={{ minHeight: `${rows * 1.5 + 0.75}rem` }}
        {...{ rows, maxLength, placeholder, disabled, readOnly }}
        onChange={(event) => {
          void onChange(event);
          onValueChange?.(event.target.value);
        }}
      />
    </Field>
  );
}

/** A number. Value: number, null when blank, NaN while it cannot be read, so that a schema refuses it. */
export function NumberField({
  min = 0,
  max,
  step,
  onValueChange,
  name,
  disabled,
  readOnly,
  placeholder,
  autoFocus,
  ...field
}: FieldProps<number | null> & InputProps & { min?: number; max?: number; step?: number | "any" }) {
  const state = useField({ name, ...field });
  const input = useRef<HTMLInputElement | null>(null);
  const { onChange, ref, ...registered } = useFormContext().register(name, { setValueAs: read });

  function read(value: unknown): number | null {
    // An unreadable number input reports "", as an empty one does.
    if (input.current?.validity.badInput) return Number.NaN;
    return value === "" || value === null || value === undefined ? null : Number(value);
  }

  return (
    <Field {...field} state={state}>
      <input
        {...registered}
        {...state.control}
        ref={(element) => {
          input.current = element;
          ref(element);
        }}
        type="number"
        inputMode={step === undefined || step === 1 ? "numeric" : "decimal"}
        className="control"
        {...{ min, max, step, placeholder, autoFocus, disabled, readOnly }}
        // The wheel is for scrolling the page, not for changing a number under it.
        onWheel={(event) => event.currentTarget.blur()}
        onChange={(event) => {
          void onChange(event);
          onValueChange?.(read(event.target.value));
        }}
      />
    </Field>
  );
}

/** A day, typed as MM/DD/YYYY or picked. Value: YYYY-MM-DD, null when blank, else what stands there. */
export function DateField({
  min = "1900-01-01",
  max = "2099-12-31",
  onValueChange,
  name,
  disabled,
  readOnly,
  ...field
}: FieldProps<string | null> & { min?: string; max?: string }) {
  const state = useField({ name, ...field });
  const { field: controlled } = useController({ name });
  const [picking, setPicking] = useState(false);
  const value: string | null = controlled.value || null;
  const day = value && parseDate(value);
  const written = day ? date(day) : (value ?? "");
  const [typed, setTyped] = useState(written);

  const readDay = (text: string) => parseDate(text) ?? (text || null);

  function change(text: string) {
    const next = readDay(text);
    setTyped(text);
    controlled.onChange(next);
    onValueChange?.(next);
  }

  return (
    <Field {...field} state={state}>
      <div className="flex gap-1">
        <input
          {...state.control}
          ref={controlled.ref}
          name={name}
          type="text"
          inputMode="numeric"
          autoComplete="off"
          placeholder="MM/DD/YYYY"
          className="control"
          disabled={disabled}
          readOnly={readOnly}
          value={readDay(typed) === value ? typed : written}
          onBlur={() => {
            const masked = masks.date(written);
            // A slash that was taken out in the middle comes back.
            if (!day && parseDate(masked)) change(masked);
            else setTyped(written);
            controlled.onBlur();
          }}
          onChange={(event: ChangeEvent<HTMLInputElement>) => {
            const { value, selectionEnd } = event.target;
            // In the middle, a digit that is taken out would pull the next ones over the slashes.
            if (selectionEnd === value.length) applyMask(event.target, "date");
            change(event.target.value);
          }}
        />
        <IconButton
          label={`Choose ${field.label}`}
          icon={<CalendarIcon />}
          disabled={disabled || readOnly}
          aria-haspopup="dialog"
          onClick={() => setPicking(true)}
        />
      </div>
      <Dialog open={picking} onClose={() => setPicking(false)} title={field.label}>
        <Calendar
          value={day || null}
          min={min}
          max={max}
          onPick={(picked) => {
            setPicking(false);
            change(date(picked));
          }}
        />
      </Dialog>
    </Field>
  );
}

/** One box. Value: boolean. */
export function CheckboxField({
  name,
  label,
  required,
  description,
  hint = description,
  disabled,
  readOnly,
  hideError,
  hideLabel,
  className,
  onValueChange,
}: FieldProps<boolean> & { description?: ReactNode }) {
  const state = useField({ name, hint, required });
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
          <LabelText label={label} required={required} />
        </span>
      </label>
      <Messages state={state} hint={hint} hideError={hideError} />
    </div>
  );
}

type Chosen = Option["value"] | null;

/** One of the options. Value: the option's own value (a number stays a number), null for the empty choice. */
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
  // Controlled, so that a value whose option arrives later is kept and then shown.
  const { field: controlled } = useController({ name });
  return (
    <Field {...field} state={state}>
      <select
        {...state.control}
        ref={controlled.ref}
        name={name}
        className="control"
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

/** A group of controls under one legend. */
export function FieldSet({
  legend,
  children,
  className,
  actions,
  ...rest
}: { legend: ReactNode; actions?: ReactNode } & ComponentProps<"fieldset">) {
  return (
    <fieldset {...rest} className={`min-w-0 ${className ?? ""}`}>
      <legend className="mb-1 font-medium text-sm">{legend}</legend>
      {actions}
      {children}
    </fieldset>
  );
}

/** Any number of the options as boxes. Value: the chosen options' values, in the options' order. */
export function CheckboxGroupField({
  options,
  selectAll = false,
  part,
  name,
  label,
  required,
  hint,
  disabled,
  readOnly,
  hideError,
  className,
  onValueChange,
}: FieldProps<Option["value"][]> & {
  options: Option[];
  selectAll?: boolean;
  /** Tells groups apart that share one field. */
  part?: string;
}) {
  const state = useField({ name, hint, required, part });
  const { field: controlled } = useController({ name });
  const chosen = new Set<Option["value"]>(controlled.value ?? []);
  const known = new Set(options.map(({ value }) => value));
  const all = options.length > 0 && options.every(({ value }) => chosen.has(value));

  /** Changes the given options only: a value that another group of the same field owns stays. */
  function set(values: Option["value"][], checked: boolean) {
    const next = new Set(chosen);
    for (const value of values) checked ? next.add(value) : next.delete(value);
    const others = [...next].filter((value) => !known.has(value));
    const ours = options.map(({ value }) => value).filter((value) => next.has(value));
    controlled.onChange([...others, ...ours]);
    onValueChange?.([...others, ...ours]);
  }

  return (
    <FieldSet
      className={className}
      legend={<LabelText label={label} required={required} />}
      aria-describedby={state.control["aria-describedby"]}
    >
      {selectAll && (
        <label className="flex min-h-control w-fit items-center gap-2.5 text-muted">
          <input
            type="checkbox"
            className="check"
            ref={(box) => {
              if (box) box.indeterminate = !all && options.some(({ value }) => chosen.has(value));
            }}
            disabled={disabled || readOnly}
            checked={all}
            onChange={(event) => set([...known], event.target.checked)}
          />
          Select all
        </label>
      )}
      <div className="grid gap-x-6 sm:grid-cols-2 lg:grid-cols-3">
        {options.map(({ value, label: words }, index) => (
          <label key={value} className="flex min-h-control items-center gap-2.5 py-1">
            <input
              id={index === 0 ? state.id : undefined}
              ref={index === 0 ? controlled.ref : undefined}
              type="checkbox"
              name={name}
              className="check"
              aria-invalid={state.invalid || undefined}
              disabled={disabled || readOnly}
              checked={chosen.has(value)}
              onBlur={controlled.onBlur}
              onChange={(event) => set([value], event.target.checked)}
            />
            {words}
          </label>
        ))}
      </div>
      <Messages state={state} hint={hint} hideError={hideError} />
    </FieldSet>
  );
}

/** A titled card of fields. */
export function Section({
  title,
  description,
  children,
  actions,
  id,
  className = "",
  level = 2,
  isGroup = false,
}: {
  title: ReactNode;
  description?: ReactNode;
  children: ReactNode;
  actions?: ReactNode;
  id?: string;
  className?: string;
  level?: 2 | 3 | 4;
  /** Whether assistive technology names the section with its fields, where several have fields of one name. */
  isGroup?: boolean;
}) {
  const Heading = `h${level}` as const;
  const headingId = useId();
  return (
    <section
      id={id}
      {...(isGroup && { role: "group", "aria-labelledby": headingId })}
      className={`${level === 2 ? "card p-4 sm:p-5" : ""} stack ${className}`}
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Heading id={headingId} className={level === 2 ? "font-semibold text-lg" : "font-semibold"}>
          {title}
        </Heading>
        {actions}
      </div>
      {description && <p className="text-muted">{description}</p>}
      {children}
    </section>
  );
}

const columnClasses = {
  1: "",
  2: "md:grid-cols-2",
  3: "md:grid-cols-2 xl:grid-cols-3",
  4: "sm:grid-cols-2 xl:grid-cols-4",
};

/** Fields side by side where there is room. */
export function FieldGrid({
  children,
  columns = 2,
  className = "",
}: {
  children: ReactNode;
  columns?: keyof typeof columnClasses;
  className?: string;
}) {
  return <div className={`grid items-start gap-4 ${columnClasses[columns]} ${className}`}>{children}</div>;
}

/**
 * Puts the field errors of a refused call on their fields, focuses the first, and answers all messages for an
 * `ErrorAlert`. With `prefix` "form", the server's `form.serviceOn` is the field `serviceOn`.
 */
export function applyServerErrors<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  error: unknown,
  prefix?: string,
): string[] {
  const fields = error instanceof ApiError ? Object.entries(error.fields) : [];
  fields.forEach(([path, message], index) => {
    const name = prefix && path.startsWith(`${prefix}.`) ? path.slice(prefix.length + 1) : path;
    form.setError(name as Path<Values>, { type: "server", message }, { shouldFocus: index === 0 });
  });
  return messagesOf(error);
}
