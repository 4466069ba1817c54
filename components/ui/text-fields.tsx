"use client";

import { type ComponentProps, useRef, useState } from "react";
import { useFormContext } from "react-hook-form";
import type { MaskName } from "@/lib/core/fields/format";
import { applyMask } from "./apply-mask";
import { Field, type FieldProps, useField } from "./field";

type InputProps = Pick<
  ComponentProps<"input">,
  "autoComplete" | "inputMode" | "maxLength" | "placeholder" | "autoFocus"
>;

/** One line of text. A `mask` formats it while the user types. Value: string. */
export function TextField({
  mask,
  type = "text",
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
}: FieldProps<string> & InputProps & { mask?: MaskName; type?: "text" | "email" | "password" | "tel" }) {
  const state = useField({ name, ...field });
  // `disabled` is not passed to register, which would blank the value.
  const { onChange, ...registered } = useFormContext().register(name);
  const isSecret = type === "password";
  const [isVisible, setIsVisible] = useState(false);
  const input = (
    <input
      {...registered}
      {...state.control}
      type={isSecret && isVisible ? "text" : type}
      className={isSecret ? "control pr-16" : "control"}
      {...{ autoComplete, inputMode, maxLength, placeholder, autoFocus, disabled, readOnly }}
      {...(isSecret && { spellCheck: false, autoCapitalize: "none" })}
      onChange={(event) => {
        if (mask) applyMask(event.target, mask);
        void onChange(event);
        onValueChange?.(event.target.value);
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

/** A number. Value: number; null when blank; NaN if unreadable, so that a schema refuses it. */
export function NumberField({
  min,
  max,
  step,
  onValueChange,
  name,
  disabled,
  readOnly,
  placeholder,
  autoFocus,
  ...field
}: FieldProps<number | null> & InputProps & { min: number; max: number; step: number }) {
  const state = useField({ name, ...field });
  const input = useRef<HTMLInputElement | null>(null);
  const { onChange, ref, ...registered } = useFormContext().register(name, { setValueAs: parseNumber });

  function parseNumber(value: unknown): number | null {
    // A number input with unreadable text reports "", like an empty one.
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
        inputMode={step === 1 ? "numeric" : "decimal"}
        className="control"
        {...{ min, max, step, placeholder, autoFocus, disabled, readOnly }}
        // The mouse wheel should scroll the page, not change the number under the pointer.
        onWheel={(event) => event.currentTarget.blur()}
        onChange={(event) => {
          void onChange(event);
          onValueChange?.(parseNumber(event.target.value));
        }}
      />
    </Field>
  );
}
