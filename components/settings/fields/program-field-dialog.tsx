"use client";

import { useRouter } from "next/navigation";
import { FormProvider, useForm } from "react-hook-form";
import { RequiredFrom } from "@/components/settings/fields/required-from";
import { ErrorAlert } from "@/components/ui/alert";
import { CheckboxField } from "@/components/ui/choice-fields";
import { Button } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { useNotify } from "@/components/ui/notifications";
import { applyServerErrors } from "@/components/ui/server-errors";
import { TextField } from "@/components/ui/text-fields";
import { useFailure } from "@/components/ui/use-failure";
import { call } from "@/lib/core/api/client";
import type { FieldSettingItem } from "@/lib/forms/fields/settings-schema";

type Values = { hidden: boolean; label: string; hint: string; requiredFrom: string | null };

/** True if the organization has changed anything about the field. */
export const isChanged = ({ hidden, label, hint, requiredFrom, position }: FieldSettingItem): boolean =>
  hidden || [label, hint, requiredFrom, position].some((part) => part !== null);

/** Changes what the organization can set for a field of the program, and restores the program's own. */
export function ProgramFieldDialog({ item, onClose }: { item: FieldSettingItem; onClose: () => void }) {
  const router = useRouter();
  const notify = useNotify();
  const { path, kind, declaredLabel, declaredHint, hidden } = item;
  const isSection = kind === "entry";
  const form = useForm<Values>({
    defaultValues: {
      hidden,
      label: item.label ?? declaredLabel,
      hint: item.hint ?? declaredHint,
      requiredFrom: item.requiredFrom,
    },
  });
  const { messages, busy, run } = useFailure();

  const change = (work: () => Promise<unknown>, done: string) =>
    run(
      async () => {
        await work();
        notify.success(done);
        onClose();
        router.refresh();
      },
      (error) => applyServerErrors(form, error, "fieldSetting"),
    );

  const save = form.handleSubmit(({ hidden, label, hint, requiredFrom }) => {
    const fieldSetting = isSection ? { hidden } : { hidden, label, hint, requiredFrom };
    return change(
      () => call("PUT /api/field_settings/{path}", { params: { path }, body: { fieldSetting } }),
      `Changed ${label}`,
    );
  });
  const reset = () =>
    change(() => call("DELETE /api/field_settings/{path}", { params: { path } }), `Reset ${declaredLabel}`);
  const reason = hidden ? item.cannotShow : item.cannotHide;

  return (
    <Dialog
      open
      onClose={onClose}
      title={isSection ? `Section ${declaredLabel}` : declaredLabel}
      description={isSection ? "A hidden section is on no form. Its values stay." : undefined}
      footer={
        <>
          {isChanged(item) && (
            <Button className="mr-auto" busy={busy} onClick={() => void reset()}>
              Reset
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={busy} onClick={() => void save()}>
            Save
          </Button>
        </>
      }
    >
      <FormProvider {...form}>
        <form
          method="post"
          className="stack min-h-0 overflow-y-auto p-1"
          noValidate
          onSubmit={(event) => void save(event)}
        >
          <ErrorAlert messages={messages} />
          {!isSection && (
            <>
              <TextField
                name="label"
                label="Label"
                hint={item.label === null ? undefined : `The program's own label is ${declaredLabel}.`}
              />
              <TextField name="hint" label="Hint" />
            </>
          )}
          {item.canBeRequired && <RequiredFrom />}
          <CheckboxField
            name="hidden"
            label="Hidden"
            disabled={reason !== ""}
            hint={reason ? `${item.label ?? declaredLabel} ${reason}.` : "Hiding keeps all values."}
          />
        </form>
      </FormProvider>
    </Dialog>
  );
}
