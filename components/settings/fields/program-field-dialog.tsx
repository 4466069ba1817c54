"use client";

import { useRouter } from "next/navigation";
import { useMemo } from "react";
import { FormProvider, useForm, useWatch } from "react-hook-form";
import { useDraftDefinitions } from "@/components/record/use-definitions";
import { FIELD_AND_PREVIEW, FieldPreview } from "@/components/settings/fields/form-preview";
import { siblingPaths } from "@/components/settings/fields/layout";
import { RequiredFrom } from "@/components/settings/fields/required-from";
import { undoable } from "@/components/settings/fields/undoable";
import { ErrorAlert } from "@/components/ui/alert";
import { CheckboxField } from "@/components/ui/choice-fields";
import { Button } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { useNotify } from "@/components/ui/notifications";
import { applyServerErrors } from "@/components/ui/server-errors";
import { TextField } from "@/components/ui/text-fields";
import { useFailure } from "@/components/ui/use-failure";
import { call } from "@/lib/core/api/client";
import type { Definitions } from "@/lib/core/fields/definitions";
import { parseDate } from "@/lib/core/text/format";
import type { FieldSettingItem } from "@/lib/forms/fields/settings-schema";
import type { FormLists } from "@/lib/lookups/schema";

type Values = { hidden: boolean; label: string; hint: string; requiredFrom: string | null };

/** True if the organization has changed anything about the field except its place. */
export const isChanged = ({ hidden, label, hint, requiredFrom }: FieldSettingItem): boolean =>
  hidden || [label, hint, requiredFrom].some((part) => part !== null);

/** Changes or resets the organization's settings for a built-in field. */
export function ProgramFieldDialog({
  item,
  definitions,
  lists,
  onClose,
}: {
  item: FieldSettingItem;
  definitions: Definitions;
  lists: FormLists;
  onClose: () => void;
}) {
  const router = useRouter();
  const notify = useNotify();
  const { path, declaredLabel, declaredHint, hidden, label, hint, requiredFrom } = item;
  const form = useForm<Values>({
    defaultValues: { hidden, label: label ?? declaredLabel, hint: hint ?? declaredHint, requiredFrom },
  });
  const values = useWatch({ control: form.control, compute: (values: Values) => values });
  const { messages, busy, run } = useFailure();
  const params = { path };
  const put = (fieldSetting: object) =>
    call("PUT /api/field_settings/{path}", { params, body: { fieldSetting } });

  const restore = () => put({ hidden, label, hint, requiredFrom });
  const change = (work: () => Promise<unknown>, done: string, undo: () => Promise<unknown> = restore) =>
    run(
      async () => {
        await work();
        notify.done(undoable(done, () => undo().then(() => router.refresh())));
        onClose();
        router.refresh();
      },
      (error) => applyServerErrors(form, error, "fieldSetting"),
    );

  const save = form.handleSubmit((values) => change(() => put(values), `Changed ${values.label}`));
  const reset = () =>
    change(
      () => call("DELETE /api/field_settings/{path}", { params }),
      `Reset ${declaredLabel}`,
      async () => {
        await restore();
        const siblings = siblingPaths(path);
        const fields = definitions.order.filter((one) => siblings.includes(one));
        if (fields.includes(path)) await call("PUT /api/field_order", { body: { fieldOrder: { fields } } });
      },
    );
  const reason = hidden ? item.cannotShow : item.cannotHide;

  return (
    <Dialog
      open
      wide="widest"
      onClose={onClose}
      title={label ?? declaredLabel}
      description="Colleagues see your changes the next time they open a form or client."
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
      <div className={FIELD_AND_PREVIEW}>
        <FormProvider {...form}>
          <form method="post" className="stack" noValidate onSubmit={(event) => void save(event)}>
            <ErrorAlert messages={messages} />
            <TextField
              name="label"
              label="Label"
              hint={label === null ? undefined : `Built-in label: ${declaredLabel}`}
            />
            <TextField name="hint" label="Hint" />
            {item.canBeRequired && <RequiredFrom />}
            <CheckboxField
              name="hidden"
              label="Hidden"
              disabled={reason !== ""}
              hint={
                reason
                  ? `${label ?? declaredLabel} ${reason}.`
                  : "Forms do not show a hidden field. Its values are kept and reappear when you show it again."
              }
            />
          </form>
        </FormProvider>
        <Draft definitions={definitions} path={path} values={values} lists={lists} />
      </div>
    </Dialog>
  );
}

/** Previews the field with the values entered so far. */
function Draft({
  definitions,
  path,
  values: { hidden, label, hint, requiredFrom },
  lists,
}: {
  definitions: Definitions;
  path: string;
  values: Values;
  lists: FormLists;
}) {
  const draft = useMemo((): Definitions => {
    const others = definitions.settings.filter((setting) => setting.path !== path);
    const day = parseDate(requiredFrom ?? "");
    const setting = { path, hidden, label: label.trim() || null, hint, requiredFrom: day };
    return { ...definitions, settings: [...others, setting] };
  }, [definitions, path, hidden, label, hint, requiredFrom]);
  useDraftDefinitions(definitions, draft);
  return <FieldPreview path={path} lists={lists} />;
}
