"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { MainFields, MoreFields } from "@/components/contacts/contact-fields";
import { useContactForm } from "@/components/contacts/use-contact-form";
import { contactBody, contactValues } from "@/components/contacts/values";
import { useConflict } from "@/components/record/use-conflict";
import { ErrorAlert } from "@/components/ui/alert";
import { Button, LinkButton } from "@/components/ui/controls";
import { FormBody } from "@/components/ui/form-body";
import { Notice } from "@/components/ui/notice";
import { useNotify } from "@/components/ui/notifications";
import { Section } from "@/components/ui/section";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import type { Contact } from "@/lib/contacts/api-schema";
import type { ContactChoices } from "@/lib/contacts/schema";
import { contactMessages, NO_NAMES } from "@/lib/contacts/words";
import { call, isCode, messagesOf } from "@/lib/core/api/client";
import { closedMessage } from "@/lib/forms/words";

/** The form of a stored contact. */
export function ContactForm({
  contact,
  choices,
  closed,
  back,
}: {
  contact: Contact;
  choices: ContactChoices;
  /** The last closed day if the contact can no longer be changed; otherwise null. */
  closed: string | null;
  /** The URL of the list as the user left it. */
  back: string;
}) {
  const router = useRouter();
  const notify = useNotify();
  const [base, setBase] = useState(contact);
  const [isOutdated, setOutdated] = useState(false);
  const { conflict, ...conflicts } = useConflict();
  const [leaving, startLeaving] = useTransition();
  const state = useContactForm(contactValues(contact));
  const { values, problems, messages, form, setValues, setMessages, change, send } = state;
  const busy = state.busy || leaving;
  const isDirty = JSON.stringify(values) !== JSON.stringify(contactValues(base));

  async function save() {
    setOutdated(false);
    const { id, lockVersion } = base;
    const error = await send(({ contact }) =>
      call("PUT /api/contacts/{id}", { params: { id }, body: { contact: { ...contact, lockVersion } } }),
    );
    setOutdated(isCode(error, "conflict_version"));
    if (error !== null) return;
    notify.success(contactMessages.updated);
    startLeaving(() => {
      router.push(back);
      router.refresh();
    });
  }

  /** Lets the user choose between what someone else has saved and what is typed here. */
  async function compare() {
    const typed = contactBody(values);
    if ("problems" in typed) return save();
    try {
      const { readContactConflict } = await import("@/components/contacts/conflict");
      await conflicts.open(
        readContactConflict(base, typed.contact, choices, (chosen, stored) => {
          setBase(stored);
          setValues(contactValues({ ...stored, ...chosen }));
          setMessages([]);
          setOutdated(false);
        }),
      );
    } catch (error) {
      setMessages(messagesOf(error));
    }
  }

  const part = { values, problems, choices, onChange: change };
  return (
    <>
      <form
        ref={form}
        className="stack max-w-3xl"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void save();
        }}
      >
        <UnsavedGuard unsaved={isDirty && !leaving} />
        <FormBody busy={busy} frozen={closed !== null}>
          <ErrorAlert messages={messages} />
          {closed && (
            <Notice title="Closed month">
              <p>{closedMessage(closed)}.</p>
            </Notice>
          )}
          <Section title="Contact" description={NO_NAMES}>
            <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
              <MainFields {...part} />
              <MoreFields {...part} />
            </div>
          </Section>
          <div className="form-actions">
            {isOutdated && <Button onClick={() => void compare()}>Compare and choose</Button>}
            <LinkButton href={back}>{closed ? "Back" : "Cancel"}</LinkButton>
            {!closed && (
              <Button type="submit" variant="primary" busy={busy}>
                Update
              </Button>
            )}
          </div>
        </FormBody>
      </form>
      {conflict && (
        <conflict.Dialog
          message={messages.join(" ")}
          found={conflict.found}
          onClose={conflicts.close}
          onMerge={conflict.merge}
        />
      )}
    </>
  );
}
