"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { FormProvider } from "react-hook-form";
import * as z from "zod/mini";
import { SimilarClients } from "@/components/clients/similar-clients";
import { ClientPicker } from "@/components/forms/client-picker";
import { factsAt } from "@/components/record/field-at";
import { FieldControl } from "@/components/record/field-control";
import { beginsFilled } from "@/components/record/record-fields";
import { useSentForm } from "@/components/record/use-record-form";
import { ErrorAlert } from "@/components/ui/alert";
import { Button } from "@/components/ui/controls";
import { FormBody } from "@/components/ui/form-body";
import { useNotify } from "@/components/ui/notifications";
import { schemaResolver } from "@/components/ui/resolver";
import { FieldGrid } from "@/components/ui/section";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { clientCreation } from "@/lib/clients/creation";
import { clientSchema } from "@/lib/clients/schema";
import { ApiError, call } from "@/lib/core/api/client";
import { toWire } from "@/lib/core/fields/wire";
import { today } from "@/lib/core/text/format";
import { closedMessage } from "@/lib/forms/words";
import type { BoardShelter } from "@/lib/shelter/api-schema";
import { stayCreation } from "@/lib/shelter/creation";
import { staySchema } from "@/lib/shelter/schema";
import { stayMessages } from "@/lib/shelter/words";

const { shape } = staySchema;
const schema = z
  .object({
    clientId: z.nullable(z.int()),
    /** The name of a new client; "" for one who has a record. */
    newName: z.string(),
    verbalConfirmation: z.boolean(),
    shelterId: shape.shelterId,
    adults: shape.adults,
    childrenThirteenToSeventeen: shape.childrenThirteenToSeventeen,
    childrenUnderThirteen: shape.childrenUnderThirteen,
    enteredOn: shape.enteredOn,
    medicalAdvocacy: shape.medicalAdvocacy,
  })
  .check(
    z.refine(({ clientId, newName }) => clientId !== null || newName !== "", {
      path: ["clientId"],
      error: "Client is required",
    }),
  );
type Input = z.input<typeof schema>;
type Values = z.output<typeof schema>;

const hasRoom = ({ beds, bedsTaken }: BoardShelter) => beds === 0 || bedsTaken < beds;

/** Returns the form of a stay that begins, and the choice of its client, who is created with the first attempt if new. */
function useMoveIn(shelters: readonly BoardShelter[], onDone: () => void) {
  const router = useRouter();
  const notify = useNotify();
  const [createClient] = useState(clientCreation);
  const [createStay] = useState(stayCreation);
  /** The name of the chosen client as the field shows it. */
  const [chosen, setChosen] = useState("");
  const { form, messages, sending, send } = useSentForm<Input, Values>({
    entity: "stay",
    values: {
      clientId: null,
      newName: "",
      verbalConfirmation: false,
      shelterId: (shelters.find(hasRoom) ?? shelters[0])?.id,
      adults: 0,
      childrenThirteenToSeventeen: 0,
      childrenUnderThirteen: 0,
      enteredOn: today(),
      medicalAdvocacy: false,
    },
    resolver: schemaResolver(schema),
  });

  function choose(clientId: number | null, newName: string, shown: string) {
    form.setValue("clientId", clientId, { shouldDirty: true });
    form.setValue("newName", newName, { shouldDirty: true });
    form.clearErrors("clientId");
    setChosen(shown);
  }

  /** Returns the id of the chosen client, whose record may be made now. */
  async function clientOf({
    clientId,
    newName: name,
    verbalConfirmation,
    enteredOn,
  }: Values): Promise<number> {
    if (clientId !== null) return clientId;
    // A refused stay must not leave a new client behind.
    const { closedThrough } = await call("GET /api/closed_periods");
    if (closedThrough !== null && enteredOn <= closedThrough)
      throw new ApiError(409, "period_closed", [closedMessage(closedThrough)]);
    const { client } = await createClient({ client: toWire(clientSchema, { name, verbalConfirmation }) });
    // Another attempt uses the same record.
    choose(client.id, "", client.name);
    return client.id;
  }

  async function save(values: Values) {
    const { newName: _, verbalConfirmation: __, ...stay } = values;
    const sent = await send(async () => createStay({ stay: { ...stay, clientId: await clientOf(values) } }));
    if (!sent) return;
    notify.success(stayMessages.created);
    onDone();
    router.refresh();
  }

  return {
    form,
    messages,
    sending,
    chosen,
    chooseClient: ({ id, name }: { id: number; name: string }) => choose(id, "", name),
    chooseNew: (name: string) => choose(null, name, `${name} (new client)`),
    submit: form.handleSubmit(save),
  };
}

/** Moves a client in, who is found by name or gets a new record. */
export default function MoveIn({ shelters, onDone }: { shelters: BoardShelter[]; onDone: () => void }) {
  const { form, messages, sending, chosen, chooseClient, chooseNew, submit } = useMoveIn(shelters, onDone);
  const newName = form.watch("newName");
  const choices = {
    shelters: shelters.map((shelter) => ({
      id: shelter.id,
      name: hasRoom(shelter) ? shelter.name : `${shelter.name} (full)`,
    })),
  };
  const field = (name: string, root: z.core.$ZodType = schema) => {
    const facts = factsAt(root, name);
    const shown = facts && beginsFilled(facts) ? { ...facts, required: false } : facts;
    return <FieldControl facts={shown} name={name} choices={choices} />;
  };
  return (
    <FormProvider {...form}>
      <UnsavedGuard unsaved={form.formState.isDirty} />
      <form className="stack" noValidate data-unsaved={form.formState.isDirty || undefined} onSubmit={submit}>
        <FormBody busy={sending} begins>
          <FieldGrid>
            <ClientPicker name="clientId" chosen={chosen} onChoose={chooseClient} onCreate={chooseNew} />
            {field("shelterId")}
          </FieldGrid>
          <SimilarClients typed={newName} onChoose={chooseClient} />
          <div className="grid gap-4 sm:grid-cols-3">
            {field("adults")}
            {field("childrenThirteenToSeventeen")}
            {field("childrenUnderThirteen")}
          </div>
          <FieldGrid>
            {field("enteredOn")}
            <div className="md:pt-6">
              {field("medicalAdvocacy")}
              {newName !== "" && field("verbalConfirmation", clientSchema)}
            </div>
          </FieldGrid>
          <ErrorAlert messages={messages} />
          <div className="flex justify-end">
            <Button type="submit" variant="primary" busy={sending}>
              Move in
            </Button>
          </div>
        </FormBody>
      </form>
    </FormProvider>
  );
}
