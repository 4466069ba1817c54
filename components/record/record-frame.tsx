"use client";

import { type ReactNode, useEffect, useRef } from "react";
import { type FieldValues, FormProvider, type UseFormReturn } from "react-hook-form";
import type { Conflict } from "@/components/record/use-conflict";
import { useBackOfStep } from "@/components/shell/set-up-page";
import { ErrorAlert } from "@/components/ui/alert";
import { Button, LinkButton } from "@/components/ui/controls";
import { FormBody } from "@/components/ui/form-body";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";

/** The state of a record's form (`useRecordForm`). */
type State<Values extends FieldValues, Output extends FieldValues> = {
  form: UseFormReturn<Values, unknown, Output>;
  messages: string[];
  busy: boolean;
  isOutdated: boolean;
  conflict: Conflict | null;
  closeConflict: () => void;
};

/**
 * The screen of a record's form around its fields: the guard for unsaved changes, problems, buttons, and the choice
 * between the values of two users.
 */
export function RecordFrame<Values extends FieldValues, Output extends FieldValues>({
  state: { form, messages, busy, isOutdated, conflict, closeConflict },
  back,
  isNew = false,
  begins = true,
  long = false,
  frozen = false,
  actions,
  onSave,
  onCompare,
  children,
}: {
  state: State<Values, Output>;
  /** The URL of the page that led here. */
  back: string;
  isNew?: boolean;
  /** The id of the field that is focused initially on a new record; the first one by default. */
  begins?: string | true;
  /** The form is longer than a screen, so its problems are next to the buttons. */
  long?: boolean;
  /** The values are read-only. */
  frozen?: boolean;
  /** More buttons, before the others. */
  actions?: ReactNode;
  onSave: (values: Output) => Promise<void>;
  onCompare?: () => Promise<void>;
  children: ReactNode;
}) {
  const element = useRef<HTMLFormElement>(null);
  const cancelled = useBackOfStep(back);
  const alert = useRef<HTMLDivElement>(null);
  // Enter in a field also submits the form, and may do so far from the problems.
  useEffect(() => {
    if (messages.length === 0) return;
    const wrong = element.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    const target = wrong ?? alert.current;
    target?.focus({ preventScroll: true });
    target?.scrollIntoView({ block: "center" });
  }, [messages]);
  const problems = (
    <div ref={alert} tabIndex={-1} className="empty:hidden">
      <ErrorAlert messages={messages} />
    </div>
  );

  return (
    <FormProvider {...form}>
      <UnsavedGuard unsaved={form.formState.isDirty} />
      <form ref={element} className="stack max-w-3xl" noValidate onSubmit={form.handleSubmit(onSave)}>
        <FormBody busy={busy} frozen={frozen} begins={isNew && begins}>
          {!long && problems}
          {children}
          {long && problems}
          <div className="form-actions">
            {isOutdated && onCompare && <Button onClick={() => void onCompare()}>Compare and choose</Button>}
            {actions}
            <LinkButton href={cancelled}>{frozen ? "Back" : "Cancel"}</LinkButton>
            {!frozen && (
              <Button type="submit" variant="primary" busy={busy}>
                {isNew ? "Save" : "Update"}
              </Button>
            )}
          </div>
        </FormBody>
      </form>
      {conflict && (
        <conflict.Dialog
          message={messages.join(" ")}
          found={conflict.found}
          phone={conflict.phone}
          onClose={closeConflict}
          onMerge={conflict.merge}
        />
      )}
    </FormProvider>
  );
}
