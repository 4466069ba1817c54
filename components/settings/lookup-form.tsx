"use client";

import { useRef, useState } from "react";
import { RecordFrame } from "@/components/record/record-frame";
import { useRecordForm } from "@/components/record/use-record-form";
import { LookupFields } from "@/components/settings/lookup-field";
import { RoleStart } from "@/components/settings/role-start";
import { Button } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { Link } from "@/components/ui/link";
import { useNotify } from "@/components/ui/notifications";
import { schemaResolver } from "@/components/ui/resolver";
import { call, isCode } from "@/lib/core/api/client";
import { to } from "@/lib/core/pages";
import type { LookupValues } from "@/lib/core/records/lookup-item";
import { type InvitationDelivery, invitationDone, invitationNotice } from "@/lib/identity/invitation";
import {
  entityOf,
  inSentence,
  type Lookup,
  type LookupKey,
  lookupDone,
  lookups,
} from "@/lib/lookups/registry";
import { REPORTED_LISTS } from "@/lib/lookups/report-lines";
import { type LookupChoices, lookupSchema } from "@/lib/lookups/schema";

const REPORTS_SETUP = { href: to("reportsSetup", { report: "pmt" }), label: "Add it in Reports Setup" };

/** `confirmed`: parts are taken away from forms that have values there. `another`: the form stays for the next record. */
type SaveChoices = { confirmed?: true; another?: boolean };

/** The form screen of every settings list, new (`id` is null) or edit, built from the registry. */
export function LookupForm({
  list,
  id,
  values,
  choices,
  back,
  setsUpReports = false,
  invitation,
}: {
  list: LookupKey;
  id: number | null;
  values: LookupValues;
  choices: LookupChoices;
  /** The URL of the list as the user left it. */
  back: string;
  /** True if the user may open Reports Setup. */
  setsUpReports?: boolean;
  /** How invitations are delivered; null if the list has none. */
  invitation: InvitationDelivery | null;
}) {
  const { singular, label }: Lookup = lookups[list];
  const notify = useNotify();
  const fields = useRef<HTMLDivElement>(null);
  /** A change that takes parts away from forms that have values there, and the server's messages about it. */
  const [taking, setTaking] = useState<{ record: LookupValues; messages: string[] } | null>(null);
  const state = useRecordForm({
    stored: values,
    back,
    entity: singular,
    values,
    resolver: () => schemaResolver<LookupValues, LookupValues>(lookupSchema(list)),
  });

  function announce(lines: string[], record: LookupValues) {
    if (list === "form_types" && id === null && record.serviceEntry)
      return notify.success([
        ...lines,
        "No service code is offered for it yet. Choose its codes in Service Codes.",
      ]);
    if (list !== "service_codes" || id !== null) return notify.success(lines);
    const uncounted = [...lines, "It is not counted in any report yet."];
    if (setsUpReports) return notify.success(uncounted, REPORTS_SETUP);
    notify.success([...uncounted, "An administrator can add it under Settings → Reports Setup."]);
  }

  async function save(record: LookupValues, { confirmed, another = false }: SaveChoices = {}) {
    setTaking(null);
    const body = { [singular]: { ...record, confirmed } };
    const saved = await state.save(
      () =>
        id === null
          ? call(`POST /api/${list}`, { body })
          : call(`PUT /api/${list}/{id}`, { params: { id }, body }),
      (messages, error) => {
        if (!isCode(error, "conflict_in_use")) return messages;
        setTaking({ record, messages });
        return [];
      },
    );
    if (!saved) return;
    const item = saved.result[singular];
    const lines = lookupDone(list, id === null ? "created" : "updated", String(item?.[label]));
    // A new email address gets its own invitation, and the earlier link stops working.
    if (invitation && item?.status === "invited" && (id === null || item.email !== values.email))
      lines.push(invitationDone(String(item.email), invitation));
    announce(lines, record);
    if (another) beginAnother(record);
    else state.leave(null, record);
  }

  /** Clears the form for the next colleague, who often has the same role. */
  function beginAnother({ roleId }: LookupValues) {
    state.form.reset({ ...values, roleId });
    // After a reset, the form knows its controls only once they are rendered again.
    fields.current?.querySelector<HTMLElement>("input, select")?.focus();
  }

  const saveAnother = state.form.handleSubmit((record) => save(record, { another: true }));

  return (
    <>
      <RecordFrame
        state={state}
        back={back}
        isNew={id === null}
        actions={
          invitation &&
          id === null && (
            <Button busy={state.busy} onClick={() => void saveAnother()}>
              Save and invite another
            </Button>
          )
        }
        onSave={(record) => save(record)}
      >
        <div ref={fields} className="card stack p-4 sm:p-5">
          {list === "roles" && id === null && <RoleStart permissions={choices.permissions ?? []} />}
          <LookupFields list={lookups[list]} choices={choices} />
        </div>
        <ReportedNote list={list} isNew={id === null} setsUpReports={setsUpReports} />
        {invitation && id === null && <p className="text-muted">{invitationNotice(invitation)}</p>}
      </RecordFrame>
      <ConfirmTaking
        taking={taking?.messages ?? null}
        entity={inSentence(entityOf(list))}
        onClose={() => setTaking(null)}
        onConfirm={() => taking && save(taking.record, { confirmed: true })}
      />
    </>
  );
}

/** Says how the FVPSA report counts the records of this list, if it does. */
function ReportedNote({
  list,
  isNew,
  setsUpReports,
}: {
  list: LookupKey;
  isNew: boolean;
  setsUpReports: boolean;
}) {
  const reported = REPORTED_LISTS[list];
  if (!reported) return null;
  return (
    <p className="text-muted">
      {reported.words[isNew ? "new" : "edit"]}{" "}
      {setsUpReports ? (
        <Link
          className="link touch-link"
          href={`${to("reportsSetup", { report: "fvpsa" })}?${new URLSearchParams({ kind: reported.kind })}`}
        >
          Change it in Reports Setup
        </Link>
      ) : (
        "An administrator can change it in Reports Setup."
      )}
    </p>
  );
}

/** Asks for confirmation before a flag is taken away although forms have values there. */
function ConfirmTaking({
  taking,
  entity,
  onClose,
  onConfirm,
}: {
  /** The numbers of these forms in words; null while the dialog is closed. */
  taking: string[] | null;
  entity: string;
  onClose: () => void;
  onConfirm: () => void;
}) {
  return (
    <Dialog
      open={taking !== null}
      onClose={onClose}
      title={`Change this ${entity}?`}
      description={taking?.join(" ")}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button variant="danger" onClick={onConfirm}>
            Change anyway
          </Button>
        </>
      }
    >
      <p>
        These forms keep the values, which can still be read, printed, and changed. New forms do not have
        them.
      </p>
    </Dialog>
  );
}
