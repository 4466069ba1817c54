"use client";

import { useEffect, useRef, useState } from "react";
import { type UseFormReturn, useFormContext } from "react-hook-form";
import type { FormValues } from "@/components/forms/values";

const DEBOUNCE_MS = 200;

/**
 * Returns a result computed from all values once typing pauses, so that keystrokes stay fast. Renders only when the
 * result (compared as JSON) changes. A change of `compute` starts a new computation. `meanwhile` is returned from a
 * change until the pause.
 */
export function useSettled<Result>(compute: (values: FormValues) => Result, meanwhile?: Result): Result {
  const form: UseFormReturn<FormValues> = useFormContext();
  const [result, setResult] = useState(() => compute(form.getValues()));
  const lastText = useRef(JSON.stringify(result));

  useEffect(() => {
    const show = (next: Result) => {
      const text = JSON.stringify(next);
      if (text === lastText.current) return;
      lastText.current = text;
      setResult(next);
    };
    const update = () => show(compute(form.getValues()));
    let timer = setTimeout(update);
    const stop = form.subscribe({
      formState: { values: true },
      callback: () => {
        if (meanwhile !== undefined) show(meanwhile);
        clearTimeout(timer);
        timer = setTimeout(update, DEBOUNCE_MS);
      },
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [form, compute, meanwhile]);

  return result;
}
