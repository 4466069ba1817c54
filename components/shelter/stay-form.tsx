"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { FormProvider, useForm } from "react-hook-form";
import type { z } from "zod/mini";
import { factsAt } from "@/components/record/field-at";
import { FieldControl } from "@/components/record/field-control";
import { ErrorAlert } from "@/components/ui/alert";
import { ConfirmDelete } from "@/components/ui/confirm-delete";
import { Button, LinkButton } from "@/components/ui/controls";
import { FormBody, useSending } from "@/components/ui/form-body";
import { useNotify } from "@/components/ui/notifications";
import { schemaResolver } from "@/components/ui/resolver";
import { FieldGrid, Section } from "@/components/ui/section";
import { applyServerErrors } from "@/components/ui/server-errors";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { call, isCode, messagesOf } from "@/lib/core/api/client";
import type { Stay, StayChoices } from "@/lib/shelter/api-schema";
import { changesClosedDays } from "@/lib/shelter/nights";
import { type StayInput, staySchema } from "@/lib/shelter/schema";
import { stayMessages } from "@/lib/shelter/words";

const valuesOf = ({
  shelterId,
  enteredOn,
  leftOn,
  exitDestinationId,
  adults,
  childrenThirteenToSeventeen,
  childrenUnderThirteen,
  medicalAdvocacy,
}: Stay) => ({
  ...{ shelterId, enteredOn, leftOn, exitDestinationId },
  ...{ adults, childrenThirteenToSeventeen, childrenUnderThirteen, medicalAdvocacy },
});

/** The form of a stored stay. */
export function StayForm({
  stay,
  choices: { shelters, exitDestinations },
  closedThrough,
  back,
}: {
  stay: Stay;
  choices: StayChoices;
  /** The last closed day, or null. */
  closedThrough: string | null;
  /** The URL of the page that led here. */
  back: string;
}) {
  const router = useRouter();
  const notify = useNotify();
  const [base, setBase] = useState(stay);
  const [messages, setMessages] = useState<string[]>([]);
  const [isOutdated, setOutdated] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const { sending, send } = useSending();
  const [leaving, startLeaving] = useTransition();
  const busy = sending || leaving;
  const form = useForm({
    mode: "onBlur",
    defaultValues: valuesOf(stay),
    resolver: schemaResolver<z.input<typeof staySchema>, StayInput>(staySchema),
  });
  const { isDirty } = form.formState;
  const params = { id: stay.id };

  const leave = () =>
    startLeaving(() => {
      router.push(back);
      router.refresh();
    });

  async function save(values: StayInput) {
    setMessages([]);
    setOutdated(false);
    const { lockVersion } = base;
    try {
      await send(() => call("PUT /api/stays/{id}", { params, body: { stay: { ...values, lockVersion } } }));
    } catch (error) {
      setMessages(applyServerErrors(form, error, "stay"));
      setOutdated(isCode(error, "conflict_version"));
      return;
    }
    form.reset(values);
    notify.success(stayMessages.updated);
    leave();
  }

  /** Replaces the typed values by the stay as someone else has saved it. */
  async function reload() {
    try {
      const { stay: stored } = await call("GET /api/stays/{id}", { params });
      setBase(stored);
      form.reset(valuesOf(stored));
      setMessages([]);
      setOutdated(false);
    } catch (error) {
      setMessages(messagesOf(error));
    }
  }

  async function remove() {
    await call("DELETE /api/stays/{id}", { params });
    form.reset(form.getValues());
    notify.success(stayMessages.removed);
    leave();
  }

  const choices = { shelters, exit_destinations: exitDestinations };
  const field = (name: string) => (
    <FieldControl facts={factsAt(staySchema, name)} name={name} choices={choices} />
  );
  return (
    <FormProvider {...form}>
      <UnsavedGuard unsaved={isDirty && !leaving} />
      <form className="stack max-w-3xl" noValidate onSubmit={form.handleSubmit(save)}>
        <FormBody busy={busy}>
          <ErrorAlert messages={messages} />
          <Section title="Stay">
            <FieldGrid>
              {field("shelterId")}
              {field("enteredOn")}
              {field("leftOn")}
              {field("exitDestinationId")}
            </FieldGrid>
            <div className="grid items-start gap-4 sm:grid-cols-3">
              {field("adults")}
              {field("childrenThirteenToSeventeen")}
              {field("childrenUnderThirteen")}
            </div>
            {field("medicalAdvocacy")}
          </Section>
          <div className="form-actions">
            {isOutdated && <Button onClick={() => void reload()}>Load the current stay</Button>}
            {!changesClosedDays(closedThrough, base, null) && (
              <Button variant="danger" className="mr-auto" onClick={() => setRemoving(true)}>
                Remove
              </Button>
            )}
            <LinkButton href={back}>Cancel</LinkButton>
            <Button type="submit" variant="primary" busy={busy}>
              Update
            </Button>
          </div>
        </FormBody>
      </form>
      <ConfirmDelete
        label={`stay ${stay.id}`}
        open={isRemoving}
        onClose={() => setRemoving(false)}
        onDelete={remove}
      />
    </FormProvider>
  );
}
