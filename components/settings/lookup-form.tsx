"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { FormProvider, useForm } from "react-hook-form";
import { LookupFieldControl } from "@/components/settings/lookup-field";
import { ErrorAlert } from "@/components/ui/alert";
import { Button, LinkButton } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { FormBody, useSending } from "@/components/ui/form-body";
import { Link } from "@/components/ui/link";
import { useNotify } from "@/components/ui/notifications";
import { schemaResolver } from "@/components/ui/resolver";
import { applyServerErrors } from "@/components/ui/server-errors";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { call, isCode, messagesOf } from "@/lib/core/api/client";
import { fieldsOf } from "@/lib/core/fields/facts";
import { to } from "@/lib/core/pages";
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
import { type LookupChoices, type LookupValues, lookupSchema } from "@/lib/lookups/schema";

const REPORTS_SETUP = { href: to("reportsSetup", { report: "pmt" }), label: "Add it in Reports Setup" };

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
  const { schema, groups, singular, label }: Lookup = lookups[list];
  const reported = REPORTED_LISTS[list];
  const router = useRouter();
  const notify = useNotify();
  const [errors, setErrors] = useState<string[]>([]);
  /** A change that takes parts away from forms that have values there, and the server's messages about it. */
  const [taking, setTaking] = useState<{ record: LookupValues; messages: string[] } | null>(null);
  const [leaving, startLeaving] = useTransition();
  const form = useForm({
    mode: "onBlur",
    defaultValues: values,
    resolver: schemaResolver<LookupValues, LookupValues>(lookupSchema(list)),
  });
  const { isDirty } = form.formState;
  const { sending, send } = useSending();
  const busy = sending || leaving;

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

  async function save(record: LookupValues, confirmed?: true) {
    setErrors([]);
    setTaking(null);
    let messages: string[] = [];
    try {
      const body = { [singular]: { ...record, confirmed } };
      const response = await send(() =>
        id === null
          ? call(`POST /api/${list}`, { body })
          : call(`PUT /api/${list}/{id}`, { params: { id }, body }),
      );
      const item = response[singular];
      messages = lookupDone(list, id === null ? "created" : "updated", String(item?.[label]));
      // A new email address gets its own invitation, and the earlier link stops working.
      if (invitation && item?.status === "invited" && (id === null || item.email !== values.email))
        messages.push(invitationDone(String(item.email), invitation));
    } catch (error) {
      if (isCode(error, "conflict_in_use")) return setTaking({ record, messages: messagesOf(error) });
      setErrors(applyServerErrors(form, error, singular));
      return;
    }
    form.reset(record);
    announce(messages, record);
    startLeaving(() => {
      router.push(back);
      router.refresh();
    });
  }

  return (
    <FormProvider {...form}>
      <UnsavedGuard unsaved={isDirty} />
      <form className="stack max-w-3xl" noValidate onSubmit={form.handleSubmit((record) => save(record))}>
        <FormBody busy={busy} begins={id === null}>
          <ErrorAlert messages={errors} />
          <div className="card stack p-4 sm:p-5">
            {fieldsOf(schema).map((field) => (
              <LookupFieldControl key={field.name} field={field} groups={groups} choices={choices} />
            ))}
          </div>
          {reported && (
            <p className="text-muted">
              {reported.words[id === null ? "new" : "edit"]}{" "}
              {setsUpReports ? (
                <Link
                  className="link"
                  href={`${to("reportsSetup", { report: "fvpsa" })}?${new URLSearchParams({ kind: reported.kind })}`}
                >
                  Change it in Reports Setup
                </Link>
              ) : (
                "An administrator can change it in Reports Setup."
              )}
            </p>
          )}
          {invitation && id === null && <p className="text-muted">{invitationNotice(invitation)}</p>}
          <div className="form-actions">
            <LinkButton href={back}>Cancel</LinkButton>
            <Button type="submit" variant="primary" busy={busy}>
              {id === null ? "Save" : "Update"}
            </Button>
          </div>
        </FormBody>
      </form>
      <ConfirmTaking
        taking={taking?.messages ?? null}
        entity={inSentence(entityOf(list))}
        onClose={() => setTaking(null)}
        onConfirm={() => taking && save(taking.record, true)}
      />
    </FormProvider>
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
