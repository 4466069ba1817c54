"use client";

import { type ComponentProps, createContext, type ReactNode, useContext, useState } from "react";
import { type FieldError, get, useFormState } from "react-hook-form";
import { to } from "@/lib/core/pages";
import { AlertIcon } from "./icons";

export type FieldProps<Value> = {
  /** Path in the form. */
  name: string;
  label: string;
  /** Marks the label with a star. The schema decides if a value is required. */
  required?: boolean;
  /** Marks the label as one that funders' reports count by. The form explains the mark once (`NeededLegend`). */
  needed?: boolean;
  hint?: ReactNode;
  disabled?: boolean;
  readOnly?: boolean;
  /** Shows the error's text to assistive technology only, and the red to everyone. */
  hideError?: boolean;
  hideLabel?: boolean;
  className?: string;
  /** Called after the form has the new value. */
  onValueChange?: (value: Value) => void;
};

/** Returns the id of a field's control, the target of links in an error summary. */
export function fieldId(name: string): string {
  return `field-${name.replace(/[^\w-]/g, "-")}`;
}

/** Begins the ids of the fields of a form that can be on a page with another one. */
export const FieldScope = createContext("");

/** True if the user has just pressed the button that saves the control's form, or a save runs. */
function isSaved(control: HTMLElement | null): boolean {
  if (!control) return false;
  const pressed = "[type=submit]:is([aria-busy=true], :focus:not(:focus-visible))";
  return control.matches(":disabled") || control.closest("form")?.querySelector(pressed) != null;
}

/**
 * Returns true while a screen reader should speak the field's error when it appears. It does not if a save brought the
 * error: then the summary, or the focus on the first such field, is spoken.
 */
function useSpeaksError(id: string, error: string | undefined, submitCount: number): boolean {
  const [last, setLast] = useState({ error, submitCount, speaks: true });
  if (last.error !== error || last.submitCount !== submitCount) {
    const speaks = last.submitCount === submitCount && !isSaved(document.getElementById(id));
    setLast({ error, submitCount, speaks });
  }
  return last.speaks;
}

/** Returns the error of one field, and the attributes that connect label, hint and error to its control. */
export function useField({
  name,
  hint,
  required,
  needed,
  part,
}: Pick<FieldProps<never>, "name" | "hint" | "required" | "needed"> & { part?: string }) {
  const { errors, submitCount } = useFormState({ name });
  const found: (FieldError & { root?: FieldError }) | undefined = get(errors, name);
  const error = found?.message ?? found?.root?.message;
  const invalid = found !== undefined;
  const id = fieldId([useContext(FieldScope), name, part].filter(Boolean).join("-"));
  const described = [needed ? NEEDED_LEGEND : "", hint ? `${id}-hint` : "", invalid ? `${id}-error` : ""]
    .filter(Boolean)
    .join(" ");
  return {
    id,
    invalid,
    error,
    speaksError: useSpeaksError(id, invalid ? error || INVALID : undefined, submitCount),
    control: {
      id,
      "aria-invalid": invalid || undefined,
      "aria-required": required || undefined,
      "aria-describedby": described || undefined,
    },
  };
}

type FieldState = ReturnType<typeof useField>;

/** The text of an error without one. */
const INVALID = "Invalid value";

/** The id of the legend that explains the mark of needed fields. */
export const NEEDED_LEGEND = "needed-legend";

/** The legend of the mark for all reports. */
const USED_IN_REPORTS = "Funders ask for this";
const explanation = { href: `${to("helpPage", { page: "glossary" })}#the-diamond-mark`, target: "_blank" };

/**
 * A mark without text, so that a label stays the same. It links to the glossary in a new tab, for a pointer only: the
 * legend has the same link for the keyboard.
 */
export const NeededMark = () => (
  // biome-ignore lint/a11y/useAnchorContent: assistive technology gets the link in the legend
  <a {...explanation} aria-hidden="true" tabIndex={-1} title={USED_IN_REPORTS} className="needed-mark" />
);

/** Explains the mark of needed fields; once on a form. */
export const NeededLegend = () => (
  <p className="text-muted text-sm [&>.needed-mark]:-ml-1.5">
    <NeededMark />{" "}
    <a {...explanation} id={NEEDED_LEGEND} className="link touch-link">
      {USED_IN_REPORTS}
    </a>
  </p>
);

type LabelProps = Pick<FieldProps<never>, "label" | "required" | "needed">;

export function LabelText({ label, required, needed }: LabelProps) {
  return (
    <>
      {label}
      {required && (
        <span aria-hidden="true" className="text-danger">
          {" *"}
        </span>
      )}
      {needed && <NeededMark />}
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
      {/* It exists before its text, so that the text is spoken. */}
      <div aria-live={state.speaksError ? "polite" : "off"}>
        {state.invalid && (
          <p
            id={`${state.id}-error`}
            className={hideError ? "sr-only" : "mt-1 flex items-start gap-1.5 text-danger text-sm"}
          >
            <span className="pt-0.5">
              <AlertIcon />
            </span>
            <span className="whitespace-pre-line">{state.error || INVALID}</span>
          </p>
        )}
      </div>
    </>
  );
}

/** Label, control, hint and error of one field. */
export function Field({
  state,
  label,
  required,
  needed,
  hint,
  hideLabel,
  hideError,
  className,
  children,
}: Omit<FieldProps<never>, "name"> & { state: FieldState; children: ReactNode }) {
  return (
    <div className={className}>
      <label htmlFor={state.id} className={hideLabel ? "sr-only" : "mb-1 block font-medium text-sm"}>
        <LabelText label={label} required={required} needed={needed} />
      </label>
      {children}
      <Messages state={state} hint={hint} hideError={hideError} />
    </div>
  );
}

/** A group of controls under one legend. */
export function FieldSet({
  legend,
  children,
  className,
  ...rest
}: { legend: ReactNode } & ComponentProps<"fieldset">) {
  return (
    <fieldset {...rest} className={`min-w-0 ${className ?? ""}`}>
      <legend className="mb-1 font-medium text-sm">{legend}</legend>
      {children}
    </fieldset>
  );
}
