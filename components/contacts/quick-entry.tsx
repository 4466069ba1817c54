"use client";

import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { MainFields, MoreFields } from "@/components/contacts/contact-fields";
import { useContactForm } from "@/components/contacts/use-contact-form";
import { newContact, nextContact } from "@/components/contacts/values";
import { ErrorAlert } from "@/components/ui/alert";
import { Button } from "@/components/ui/controls";
import { FormBody } from "@/components/ui/form-body";
import { contactCreation } from "@/lib/contacts/creation";
import type { ContactChoices } from "@/lib/contacts/schema";
import { NO_NAMES } from "@/lib/contacts/words";
import { counted, parseMinutes, today } from "@/lib/core/fields/format";

/**
 * Records a contact in one line. After each one the focus is back in the first field, for the next call. With `begins`, the
 * first field is focused initially.
 */
export function QuickEntry({ choices, begins = false }: { choices: ContactChoices; begins?: boolean }) {
  const router = useRouter();
  const { values, problems, messages, busy, form, setValues, change, send } = useContactForm(
    newContact(choices),
  );
  const [create, setCreate] = useState(() => contactCreation());
  const [more, setMore] = useState(false);
  const [done, setDone] = useState({ count: 0, text: "" });

  const prefilledDay = useRef(values.contactedOn);
  /** After midnight the prefilled day becomes the new day. A day that the user chose stays. */
  function moveDayOn() {
    const [before, now] = [prefilledDay.current, today()];
    prefilledDay.current = now;
    setValues((shown) => (shown.contactedOn === before ? { ...shown, contactedOn: now } : shown));
  }

  async function record() {
    if (busy || (await send(create)) !== null) return;
    const kind = choices.contactKinds.find(({ id }) => String(id) === values.contactKindId)?.name;
    const minutes = parseMinutes(values.minutes) ?? 0;
    const parts = [
      ...(Number(values.number || 1) > 1 ? [values.number] : []),
      ...(minutes > 0 ? [counted(minutes, "minute")] : []),
    ];
    setDone(({ count }) => ({ count: count + 1, text: [`Recorded: ${kind}`, ...parts].join(", ") }));
    // The next contact is another one, even if it is the same.
    setCreate(() => contactCreation());
    setValues((sent) => nextContact(choices, sent));
    moveDayOn();
    setMore(false);
    form.current?.querySelector("select")?.focus();
    router.refresh();
  }

  if (choices.contactKinds.length === 0)
    return (
      <p className="text-muted">No contact kinds are set up. An administrator can add them in Settings.</p>
    );
  const part = { values, problems, choices, onChange: change };
  return (
    <form
      ref={form}
      // The shortcut for a new contact finds the form by this attribute.
      data-quick-entry=""
      aria-label="Record a contact"
      noValidate
      className="stack"
      onFocus={moveDayOn}
      onSubmit={(event) => {
        event.preventDefault();
        void record();
      }}
    >
      <FormBody busy={busy} begins={begins}>
        <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
          <MainFields {...part} />
          {/* Next to the controls, which have a label above them. */}
          <div className="flex gap-x-3 sm:pt-6">
            <Button type="submit" variant="primary" busy={busy}>
              Record
            </Button>
            <Button aria-expanded={more} onClick={() => setMore((now) => !now)}>
              Details
            </Button>
          </div>
        </div>
        {more && <MoreFields {...part} />}
      </FormBody>
      <ErrorAlert messages={messages} />
      <div className="flex flex-wrap justify-between gap-x-6 gap-y-1 text-sm">
        <p className="text-muted">{NO_NAMES}</p>
        <p role="status" key={done.count}>
          {done.text}
        </p>
      </div>
    </form>
  );
}
