"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { OwnFieldDialog } from "@/components/settings/fields/own-field-dialog";
import { KIND_WORDS, placeTitle } from "@/components/settings/fields/places";
import { ErrorAlert } from "@/components/ui/alert";
import { ConfirmDelete } from "@/components/ui/confirm-delete";
import { Button, IconButton } from "@/components/ui/controls";
import { ChevronIcon, PencilIcon, PlusIcon, TrashIcon } from "@/components/ui/icons";
import { useNotify } from "@/components/ui/notifications";
import { Section } from "@/components/ui/section";
import { useFailure } from "@/components/ui/use-failure";
import { call } from "@/lib/core/api/client";
import type { OwnField } from "@/lib/core/fields/definitions";
import { counted, date, today } from "@/lib/core/fields/format";
import { isRetired } from "@/lib/core/fields/required";

type FormTypes = readonly { id: number; name: string }[];

/** Returns the fields by the title of their section. */
function groupsOf(fields: readonly OwnField[]): { title: string; fields: OwnField[] }[] {
  const nameOf = (field: OwnField) =>
    `${field.record === "client" ? "Client" : "Form"}: ${placeTitle(field)}`;
  return [...new Set(fields.map(nameOf))].map((title) => ({
    title,
    fields: fields.filter((field) => nameOf(field) === title),
  }));
}

/** The organization's own fields: adds, changes, orders, retires, and removes them. */
export function OwnFieldsSettings({
  fields,
  formTypes,
}: {
  fields: readonly OwnField[];
  formTypes: FormTypes;
}) {
  /** The field in the dialog; null for a new one. */
  const [open, setOpen] = useState<OwnField | null | undefined>(undefined);
  return (
    <Section
      title="Your own fields"
      description="Fields of your organization on clients and forms. Retire a field that is no longer needed: its values stay readable. A field that no record uses can be removed."
      actions={
        <Button variant="primary" icon={<PlusIcon />} onClick={() => setOpen(null)}>
          Add a field
        </Button>
      }
    >
      {fields.length === 0 && <p className="text-muted">There are no fields of your own yet.</p>}
      {groupsOf(fields).map((group) => (
        <div key={group.title}>
          <h3 className="font-semibold">{group.title}</h3>
          <Rows fields={group.fields} formTypes={formTypes} onOpen={setOpen} />
        </div>
      ))}
      {open !== undefined && (
        <OwnFieldDialog
          key={open?.id ?? "new"}
          field={open}
          formTypes={formTypes}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Section>
  );
}

function Rows({
  fields,
  formTypes,
  onOpen,
}: {
  fields: readonly OwnField[];
  formTypes: FormTypes;
  onOpen: (field: OwnField) => void;
}) {
  const router = useRouter();
  const notify = useNotify();
  const { messages, busy, run } = useFailure();
  const [removing, setRemoving] = useState<OwnField | null>(null);

  const put = ({ id, ...field }: OwnField, changes: Partial<OwnField>) =>
    call("PUT /api/fields/{id}", {
      params: { id },
      body: {
        field: {
          ...field,
          ...changes,
          formTypeIds: [...field.formTypeIds],
          choices: [...field.choices],
        },
      },
    });
  const retire = (field: OwnField) =>
    run(async () => {
      const retired = isRetired(field);
      await put(field, { retiredFrom: retired ? null : today() });
      notify.success(retired ? `${field.label} is asked again` : `Retired ${field.label}`);
      router.refresh();
    });
  const move = (field: OwnField, other: OwnField) =>
    run(async () => {
      await put(field, { position: other.position });
      await put(other, { position: field.position });
      router.refresh();
    });

  return (
    <>
      <ErrorAlert messages={messages} />
      <ul>
        {fields.map((field, at) => {
          const { id, label } = field;
          const [before, after] = [fields[at - 1], fields[at + 1]];
          return (
            <li key={id} className="flex flex-wrap items-center gap-x-2 border-line border-t py-1">
              <span className="min-w-48 flex-1 wrap-anywhere">
                {label} <span className="text-muted text-sm">{stateWords(field, formTypes)}</span>
              </span>
              <span className="flex items-center gap-x-2">
                <IconButton
                  label={`Move ${label} up`}
                  icon={<ChevronIcon direction="up" />}
                  disabled={!before}
                  busy={busy}
                  onClick={() => before && void move(field, before)}
                />
                <IconButton
                  label={`Move ${label} down`}
                  icon={<ChevronIcon direction="down" />}
                  disabled={!after}
                  busy={busy}
                  onClick={() => after && void move(field, after)}
                />
                <IconButton label={`Change ${label}`} icon={<PencilIcon />} onClick={() => onOpen(field)} />
                <Button
                  size="sm"
                  busy={busy}
                  aria-label={isRetired(field) ? `Use ${label} again` : `Retire ${label}`}
                  onClick={() => void retire(field)}
                >
                  {isRetired(field) ? "Use again" : "Retire"}
                </Button>
                <IconButton
                  label={`Remove ${label}`}
                  icon={<TrashIcon />}
                  onClick={() => setRemoving(field)}
                />
              </span>
            </li>
          );
        })}
      </ul>
      <ConfirmDelete
        label={removing?.label ?? ""}
        open={removing !== null}
        onClose={() => setRemoving(null)}
        onDelete={async () => {
          if (!removing) return;
          await call("DELETE /api/fields/{id}", { params: { id: removing.id } });
          notify.success(`Removed ${removing.label}`);
          router.refresh();
        }}
      />
    </>
  );
}

/** Returns what is special about a field, in words. */
function stateWords({ retiredFrom, ...field }: OwnField, formTypes: FormTypes): string {
  const { kind, choices, requiredFrom, sensitive, formTypeIds } = field;
  const types = formTypes.filter(({ id }) => formTypeIds.includes(id)).map(({ name }) => name);
  return [
    KIND_WORDS[kind],
    choices.length > 0 && counted(choices.length, "choice"),
    requiredFrom && `required from ${date(requiredFrom)}`,
    sensitive && "sensitive",
    types.length > 0 && `only ${types.join(", ")}`,
    retiredFrom && `retired from ${date(retiredFrom)}`,
  ]
    .filter(Boolean)
    .join(" · ");
}
