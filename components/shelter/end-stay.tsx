"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { type DefaultValues, type FieldValues, FormProvider } from "react-hook-form";
import * as z from "zod/mini";
import type { Choices } from "@/components/record/choices";
import { RecordFields } from "@/components/record/record-fields";
import { useSentForm } from "@/components/record/use-record-form";
import { ErrorAlert } from "@/components/ui/alert";
import { Button } from "@/components/ui/controls";
import { FormBody } from "@/components/ui/form-body";
import { useNotify } from "@/components/ui/notifications";
import { schemaResolver } from "@/components/ui/resolver";
import { call } from "@/lib/core/api/client";
import { creation } from "@/lib/core/api/creation";
import { fieldsOf } from "@/lib/core/fields/facts";
import { day } from "@/lib/core/fields/vocabulary";
import { counted, today } from "@/lib/core/text/format";
import type { BoardStay, StayChoices } from "@/lib/shelter/api-schema";
import { type MoveInput, moveBody, staySchema } from "@/lib/shelter/schema";
import { STAY_LABELS, stayMessages } from "@/lib/shelter/words";

const leaveSchema = z.object({
  leftOn: day(STAY_LABELS.leftOn, { required: true, initial: today, sensitive: false }),
  exitDestinationId: staySchema.shape.exitDestinationId,
  medicalAdvocacy: staySchema.shape.medicalAdvocacy,
});

/** A form of a few fields in a dialog, for an act on a stay. */
function ActForm<Values extends FieldValues>({
  schema,
  values,
  choices,
  word,
  entity,
  act,
}: {
  schema: z.ZodMiniType<Values> & z.ZodMiniObject;
  values: DefaultValues<Values>;
  choices: Choices;
  /** The words of the button. */
  word: string;
  /** The name of the record in the body, if the fields are in one. */
  entity?: string;
  act: (values: Values) => Promise<unknown>;
}) {
  const { form, messages, sending, send } = useSentForm<Values, Values>({
    entity,
    values,
    resolver: schemaResolver(schema),
  });
  return (
    <FormProvider {...form}>
      <form className="stack" noValidate onSubmit={form.handleSubmit((typed) => send(() => act(typed)))}>
        <FormBody busy={sending} begins>
          <RecordFields fields={fieldsOf(schema).filter(({ name }) => name in values)} choices={choices} />
          <ErrorAlert messages={messages} />
          <div className="flex justify-end">
            <Button type="submit" variant="primary" busy={sending}>
              {word}
            </Button>
          </div>
        </FormBody>
      </form>
    </FormProvider>
  );
}

type Props = { stay: BoardStay; choices: StayChoices; onDone: () => void };

/** Moves the client of an open stay to another shelter. */
export function MoveForm({ stay, choices: { shelters }, onDone }: Props) {
  const router = useRouter();
  const notify = useNotify();
  const { id, lockVersion } = stay;
  const [move] = useState(() =>
    creation({
      create: (body: MoveInput, options) =>
        call("POST /api/stays/{id}/move", { ...options, params: { id }, body }),
      update: ({ stay: next }, { shelterId, on }, options) =>
        call("PUT /api/stays/{id}", {
          ...options,
          params: { id: next.id },
          body: { stay: { shelterId, enteredOn: on } },
        }),
    }),
  );
  const others = shelters.filter((shelter) => shelter.id !== stay.shelterId);
  return (
    <ActForm
      schema={moveBody}
      values={{ shelterId: others[0]?.id, on: today() }}
      choices={{ shelters: others }}
      word="Move"
      act={async (values) => {
        await move({ ...values, lockVersion });
        notify.success(stayMessages.moved);
        onDone();
        router.refresh();
      }}
    />
  );
}

/** Ends a stay. */
export function MoveOutForm({ stay, choices: { exitDestinations }, onDone }: Props) {
  const router = useRouter();
  const notify = useNotify();
  const { id, shelterId, lockVersion, medicalAdvocacy, initials } = stay;

  /** Opens the stays again. */
  async function undo(records: readonly { id: number }[]) {
    for (const { id } of records) {
      const { stay } = await call("GET /api/stays/{id}", { params: { id } });
      const { shelterId, lockVersion } = stay;
      await call("PUT /api/stays/{id}", {
        params: { id },
        body: { stay: { shelterId, lockVersion, leftOn: null } },
      });
    }
    router.refresh();
  }

  return (
    <ActForm
      schema={leaveSchema}
      values={{ leftOn: today(), exitDestinationId: null, medicalAdvocacy }}
      choices={{ exit_destinations: exitDestinations }}
      word="Move out"
      entity="stay"
      act={async (values) => {
        await call("PUT /api/stays/{id}", {
          params: { id },
          body: { stay: { ...values, shelterId, lockVersion } },
        });
        notify.done({
          kind: "moved out",
          records: [{ id, label: initials }],
          undo,
          words: (count) => (count === 1 ? stayMessages.left : `${counted(count, "client")} moved out`),
        });
        onDone();
        router.refresh();
      }}
    />
  );
}
