"use client";

import { useRouter } from "next/navigation";
import { useLayoutEffect, useRef, useState } from "react";
import { useDefinitions } from "@/components/record/use-definitions";
import { CustomFieldDialog, putField } from "@/components/settings/fields/custom-field-dialog";
import { FormPreview } from "@/components/settings/fields/form-preview";
import { fieldSections, sectionAt } from "@/components/settings/fields/layout";
import { ProgramFieldDialog } from "@/components/settings/fields/program-field-dialog";
import { type Acts, SectionFieldList, summaryId } from "@/components/settings/fields/section-field-list";
import { undoable } from "@/components/settings/fields/undoable";
import { ErrorAlert } from "@/components/ui/alert";
import { ConfirmDelete } from "@/components/ui/confirm-delete";
import { Button } from "@/components/ui/controls";
import { PlusIcon } from "@/components/ui/icons";
import { useNotify } from "@/components/ui/notifications";
import { Section } from "@/components/ui/section";
import { useFailure } from "@/components/ui/use-failure";
import { call, messagesOf } from "@/lib/core/api/client";
import type { CustomField, Definitions } from "@/lib/core/fields/definitions";
import { customFieldPath, withOrder } from "@/lib/core/fields/in-order";
import { isRetired } from "@/lib/core/fields/required";
import { today } from "@/lib/core/text/format";
import type { FieldSettingItem } from "@/lib/forms/fields/settings-schema";
import type { FormLists } from "@/lib/lookups/schema";

type Place = Pick<CustomField, "record" | "section">;
/** The open dialog: for a new custom field, a custom field, or a built-in field. */
type Open = { place?: Place } | { field: CustomField } | { item: FieldSettingItem };

/** Lists all fields by section, to add, change, move, hide, retire, and remove them, with a preview. */
export function FieldsSettings({
  definitions,
  items,
  lists,
}: {
  definitions: Definitions;
  items: readonly FieldSettingItem[];
  lists: FormLists;
}) {
  const router = useRouter();
  const notify = useNotify();
  const { messages, busy, run } = useFailure();
  useDefinitions();
  const [open, setOpen] = useState<Open | null>(null);
  const [removing, setRemoving] = useState<CustomField | null>(null);
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const { order, saveOrder } = useOrder(definitions);
  const focusAfter = useFocusAfter();
  const settings = new Map(items.map((item) => [item.path, item]));
  const custom = new Map(definitions.fields.map((field) => [customFieldPath(field), field]));
  const labelAt = (path: string) => {
    const item = settings.get(path);
    return custom.get(path)?.label ?? item?.label ?? item?.declaredLabel ?? path;
  };
  const canMove = (path: string) => custom.has(path) || (settings.get(path)?.canMove ?? false);
  const expand = (id: string, isOpen = true) =>
    setExpanded((now) => new Set(isOpen ? [...now, id] : [...now].filter((one) => one !== id)));

  const act = (words: string, work: () => Promise<unknown>, undo: () => Promise<unknown>) =>
    run(async () => {
      await work();
      notify.done(undoable(words, () => undo().then(() => router.refresh())));
      router.refresh();
    });
  const hide = ({ path, declaredLabel }: FieldSettingItem, hidden: boolean) => {
    const put = (hidden: boolean) =>
      call("PUT /api/field_settings/{path}", { params: { path }, body: { fieldSetting: { hidden } } });
    return act(
      `Now ${hidden ? "hidden" : "shown"}: ${declaredLabel}`,
      () => put(hidden),
      () => put(!hidden),
    );
  };
  const retire = (field: CustomField) => {
    const retired = isRetired(field);
    let now = field;
    const put = async (retiredFrom: string | null) => {
      now = await putField({ ...field, retiredFrom }, now);
    };
    return act(
      retired ? `Using ${field.label} again` : `Retired ${field.label}`,
      () => put(retired ? null : today()),
      () => put(field.retiredFrom),
    );
  };
  const acts: Acts = {
    add: (place) => setOpen({ place }),
    change: (path) => {
      const field = custom.get(path);
      const item = settings.get(path);
      if (field) setOpen({ field });
      else if (item) setOpen({ item });
    },
    order: (paths, words, focusId) => {
      focusAfter(focusId);
      saveOrder(paths.filter(canMove));
      notify.success(words);
    },
    hide: (item, hidden) => void hide(item, hidden),
    retire: (field) => void retire(field),
    remove: setRemoving,
  };

  return (
    <>
      <Section
        title="Fields by section"
        description="All fields of clients and forms in order, built-in and custom. Open a section to change a field with the pencil, or move it with the arrows. Hiding or retiring a field keeps its values."
        actions={
          <Button variant="primary" icon={<PlusIcon />} onClick={() => setOpen({})}>
            Add a field
          </Button>
        }
      >
        <ErrorAlert messages={messages} />
        <div>
          {fieldSections().map((section) => (
            <SectionFieldList
              key={section.id}
              isOpen={expanded.has(section.id)}
              onToggle={(isOpen) => expand(section.id, isOpen)}
              {...{ section, order, settings, custom, lists, busy, acts, labelAt, canMove }}
            />
          ))}
        </div>
      </Section>
      <FormPreview lists={lists} isEmpty={open !== null} />
      {open && "item" in open && (
        <ProgramFieldDialog item={open.item} onClose={() => setOpen(null)} {...{ definitions, lists }} />
      )}
      {open && !("item" in open) && (
        <CustomFieldDialog
          field={"field" in open ? open.field : null}
          place={"place" in open ? open.place : undefined}
          onAdded={(field) => {
            const section = sectionAt(field);
            if (section) expand(section.id);
          }}
          onClose={() => setOpen(null)}
          {...{ definitions, lists, labelAt, canMove }}
        />
      )}
      <ConfirmDelete
        label={removing?.label ?? ""}
        open={removing !== null}
        onClose={() => setRemoving(null)}
        onDelete={async () => {
          if (!removing) return;
          await call("DELETE /api/fields/{id}", { params: { id: removing.id } });
          notify.success(`Removed ${removing.label}`);
          focusAfter(summaryId(sectionAt(removing)?.id ?? ""), true);
          router.refresh();
        }}
      />
    </>
  );
}

/**
 * Returns the order of all fields, and a function that puts those of a section in another order. The page shows a move at
 * once. Requests are sent one after the other. `saved` may still lack the last moves, even if it is newer than before.
 */
function useOrder(saved: Definitions) {
  const router = useRouter();
  const notify = useNotify();
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  /** The moves of this page; `version` is that of the definitions that have them, null until they are saved. */
  const [moved, setMoved] = useState<{ order: string[]; version: number | null } | null>(null);
  const isAhead = moved !== null && (moved.version === null || moved.version > saved.version);
  const order = isAhead ? moved.order : saved.order;
  function saveOrder(fields: string[]) {
    const next = withOrder(order, fields);
    setMoved({ order: next, version: null });
    const settle = (version: number | null) =>
      setMoved((now) => (now?.order !== next ? now : version === null ? null : { ...now, version }));
    const turn: Promise<unknown> = queue.current
      .then(() => call("PUT /api/field_order", { body: { fieldOrder: { fields } } }))
      .then(({ fieldOrder }) => settle(fieldOrder.version))
      .catch((error: unknown) => {
        settle(null);
        notify.error(messagesOf(error));
      })
      .then(() => queue.current === turn && router.refresh());
    queue.current = turn;
  }
  return { order, saveOrder };
}

/**
 * Returns a function that focuses an element by its id after the next render. With `whenLost`, it waits for the render that
 * removes the focused element.
 */
function useFocusAfter() {
  const next = useRef<{ id: string; whenLost: boolean } | null>(null);
  useLayoutEffect(() => {
    if (!next.current || (next.current.whenLost && document.activeElement !== document.body)) return;
    document.getElementById(next.current.id)?.focus();
    next.current = null;
  });
  return (id: string, whenLost = false) => {
    next.current = { id, whenLost };
  };
}
