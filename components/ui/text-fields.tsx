"use client";

import { type ComponentProps, useState } from "react";
import { useFormContext } from "react-hook-form";
import { type MaskName, parseNumber } from "@/lib/core/text/format";
import { applyMask, leftWith } from "./apply-mask";
import { Field, type FieldProps, useField } from "./field";

type InputProps = Pick<
  ComponentProps<"input">,
  "autoCapitalize" | "autoComplete" | "inputMode" | "maxLength" | "placeholder" | "autoFocus"
>;

/** One line of text. A `mask` formats it while the user types. Value: string. */
export function TextField({
  mask,
  type = "text",
  letters,
  autoCapitalize,
  autoComplete = "off",
  inputMode,
  onValueChange,
  name,
  disabled,
  readOnly,
  maxLength,
  placeholder,
  autoFocus,
  ...field
}: FieldProps<string> &
  InputProps & {
    mask?: MaskName;
    type?: "text" | "email" | "password" | "tel";
    /** The usual length of its text, which its width follows. */
    letters?: number | undefined;
  }) {
  const state = useField({ name, ...field });
  // `disabled` is not passed to register, which would blank the value.
  const form = useFormContext();
  const { onChange, onBlur, ...registered } = form.register(name);
  const isSecret = type === "password";
  const [isVisible, setIsVisible] = useState(false);
  const input = (
    <input
      {...registered}
      {...state.control}
      type={isSecret && isVisible ? "text" : type}
      className={isSecret ? "control pr-16" : "control"}
      {...{ autoCapitalize, autoComplete, inputMode, maxLength, placeholder, autoFocus, disabled, readOnly }}
      style={letters ? { maxWidth: `calc(${letters}ch + 1.5rem)` } : undefined}
      {...(isSecret && { spellCheck: false, autoCapitalize: "none" })}
      onChange={(event) => {
        if (mask) applyMask(event.target, mask, event.nativeEvent);
        void onChange(event);
        onValueChange?.(event.target.value);
      }}
      onBlur={(event) => {
        const text = mask ? leftWith(event.target, mask) : event.target.value;
        if (text !== event.target.value) {
          form.setValue(name, text, { shouldDirty: true });
          onValueChange?.(text);
        }
        void onBlur(event);
      }}
    />
  );
  return (
    <Field {...field} state={state}>
      {isSecret ? (
        <div className="relative">
          {input}
          <button
            type="button"
            aria-pressed={isVisible}
            aria-controls={state.id}
            className="absolute inset-y-0 right-0 rounded-md px-3 text-accent text-sm hover:bg-subtle"
            onClick={() => setIsVisible((now) => !now)}
          >
            {isVisible ? "Hide" : "Show"}
            <span className="sr-only"> the text in {field.label}</span>
          </button>
        </div>
      ) : (
        input
      )}
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
        className="control field-sizing-content block max-h-96"
        // A field that grows with its text would start with one line and ignore `rows`.
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

/** Selects a 0 that a click or Tab focuses, so that typing replaces it. */
function selectZero({ currentTarget: input }: { currentTarget: HTMLInputElement }) {
  if (input.value === "0" && input.selectionStart === input.selectionEnd) input.select();
}

/**
 * A number. Value: number; null when blank; otherwise the text as typed, so that a schema refuses it. A browser's number
 * input would drop characters that it cannot read. `read` parses trimmed text: null for blank, NaN if it is unreadable.
 */
export function NumberField({
  read = parseNumber,
  decimals = false,
  onValueChange,
  name,
  disabled,
  readOnly,
  placeholder,
  autoFocus,
  ...field
}: FieldProps<number | string | null> &
  InputProps & { read?: (text: string) => number | null; decimals?: boolean }) {
  const state = useField({ name, ...field });
  const { onChange, onBlur, ...registered } = useFormContext().register(name, { setValueAs: parse });

  function parse(value: unknown): number | string | null {
    if (typeof value !== "string") return typeof value === "number" ? value : null;
    const number = read(value.trim());
    return Number.isNaN(number) ? value : number;
  }

  return (
    <Field {...field} state={state}>
      <input
        {...registered}
        {...state.control}
        type="text"
        inputMode={decimals ? "decimal" : "numeric"}
        autoComplete="off"
        className="control"
        {...{ placeholder, autoFocus, disabled, readOnly }}
        onFocus={selectZero}
        onMouseUp={selectZero}
        onBlur={(event) => {
          const value = parse(event.target.value);
          // 1:15 is shown as the 75 minutes that are saved.
          if (typeof value === "number") event.target.value = String(value);
          void onBlur(event);
        }}
        onChange={(event) => {
          void onChange(event);
          onValueChange?.(parse(event.target.value));
        }}
      />
    </Field>
  );
}
