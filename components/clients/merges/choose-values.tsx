"use client";

import { useRouter } from "next/navigation";
import { useMemo, useState, useTransition } from "react";
import { Changes } from "@/components/audit/changes";
import { compared, mergeSentences, proposed } from "@/components/clients/merges/proposal";
import { PhoneBadge, recordRevealed } from "@/components/clients/phone-number";
import { merged } from "@/components/record/differences";
import { FieldChoices } from "@/components/record/field-choices";
import { ErrorAlert } from "@/components/ui/alert";
import { Button, LinkButton } from "@/components/ui/controls";
import { useNotify } from "@/components/ui/notifications";
import { Section } from "@/components/ui/section";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { useFailure } from "@/components/ui/use-failure";
import type { Client } from "@/lib/clients/api-schema";
import { PHONE_PATH, withNumbersOf } from "@/lib/clients/masked";
import { clientSchema, mergedSchema } from "@/lib/clients/schema";
import { fullName } from "@/lib/core/access/permissions";
import { call, isCode, messagesOf } from "@/lib/core/api/client";
import { toWire } from "@/lib/core/fields/wire";
import { to } from "@/lib/core/pages";
import { counted, date } from "@/lib/core/text/format";
import type { FormLists } from "@/lib/lookups/schema";

const WORDS = {
  theirs: { side: "Record to keep", all: "Use all values of the record to keep" },
  mine: { side: "Other record", all: "Use all values of the other record" },
};

const isSafe = ({ clientBiographicalEntry }: Client) => clientBiographicalEntry?.safeToCall ?? false;

/**
 * Shows two records of one client next to each other. The user chooses a value for each field that differs, then
 * merges.
 */
export function ChooseValues({
  client: readRecord,
  other: readOther,
  lists,
  forms,
}: {
  client: Client;
  other: Client;
  lists: FormLists;
  /** The number of forms of each client, by client id. */
  forms: Record<number, number>;
}) {
  const router = useRouter();
  const notify = useNotify();
  const { messages, busy, run } = useFailure();
  const [outdated, setOutdated] = useState(false);
  const [leaving, startLeaving] = useTransition();
  /** The records with their phone numbers, once these are shown. */
  const [{ client, other }, setRecords] = useState({ client: readRecord, other: readOther });
  const { record, versions, found } = useMemo(() => compared(client, other, lists), [client, other, lists]);
  const [proposal] = useState(() => proposed(found));
  const [keptFields, setKeptFields] = useState(proposal);
  const changes = mergeSentences(found, keptFields, lists);
  const countOf = ({ id }: Client) => forms[id] ?? 0;

  async function revealNumbers() {
    await recordRevealed([client.id, other.id]);
    const [stored, storedOther] = await Promise.all(
      [client.id, other.id].map((id) => call("GET /api/clients/{id}", { params: { id } })),
    );
    if (!stored || !storedOther) return;
    setRecords({
      client: withNumbersOf(client, stored.client),
      other: withNumbersOf(other, storedOther.client),
    });
  }

  const merge = () =>
    run(
      async () => {
        const values = merged(versions, record, found, (name) => keptFields.has(name));
        const entry = values.clientBiographicalEntry;
        await call("POST /api/clients/{id}/merge", {
          params: { id: client.id },
          body: {
            // The server knows the phone numbers, this page may not.
            client: toWire(clientSchema, {
              ...values,
              clientBiographicalEntry: entry && { ...entry, phoneNumber: "" },
            }),
            other: toWire(mergedSchema, {
              ...other,
              givesPhoneNumber: found.some(({ name }) => name === PHONE_PATH) && !keptFields.has(PHONE_PATH),
            }),
          },
        });
        notify.success(`Merged client ${other.id} into client ${client.id}`);
        startLeaving(() => {
          router.push(to("clientsShow", { id: client.id }));
          router.refresh();
        });
      },
      (error) => {
        setOutdated(isCode(error, "conflict_version"));
        return messagesOf(error);
      },
    );

  return (
    <div className="stack">
      <UnsavedGuard unsaved={keptFields !== proposal && !leaving} />
      <div className="grid gap-4 md:grid-cols-2">
        <Known title="Record to keep" client={client} forms={countOf(client)} />
        <Known title="Record to be removed" client={other} forms={countOf(other)} />
      </div>
      <Section
        title="Values to keep"
        description={
          found.length > 0
            ? "Choose a value for each field that differs."
            : "The two records differ only in their forms."
        }
      >
        <FieldChoices
          found={found}
          theirs={keptFields}
          onChange={setKeptFields}
          words={WORDS}
          shows="text"
          phone={{
            badge: <PhoneBadge safeToCall={isSafe(client) && isSafe(other)} />,
            reveal: revealNumbers,
          }}
        />
      </Section>
      <Section title="What happens when you merge">
        <ul className="flex list-disc flex-col gap-1 pl-5">
          <li>{`${client.name}’s record gets ${countOf(other) === 0 ? "no forms" : counted(countOf(other), "form")} from the other one.`}</li>
          <li>{`Client ${other.id} is removed from lists and searches.`}</li>
          <li>You can undo this for 30 days.</li>
        </ul>
        {changes.length > 0 ? (
          <div>
            <p className="font-medium">{`Client ${client.id} changes as follows:`}</p>
            <Changes changes={changes} />
          </div>
        ) : (
          <p>{`The values of client ${client.id} do not change.`}</p>
        )}
        <ErrorAlert messages={messages} />
        <div className="form-actions">
          {outdated && <Button onClick={() => router.refresh()}>Reload both records</Button>}
          <LinkButton href={`${to("clientsMerge", { id: other.id })}?with=${client.id}`}>
            Keep the other record instead
          </LinkButton>
          <LinkButton href={to("clientsShow", { id: client.id })}>Cancel</LinkButton>
          <Button variant="primary" busy={busy || leaving} onClick={() => void merge()}>
            Merge
          </Button>
        </div>
      </Section>
    </div>
  );
}

function Known({ title, client, forms }: { title: string; client: Client; forms: number }) {
  return (
    <Section title={title}>
      <p className="wrap-anywhere font-medium">{client.name}</p>
      <p className="text-muted">
        {[
          `Client ${client.id}`,
          fullName(client.user),
          `since ${date(client.createdOn)}`,
          counted(forms, "form"),
        ].join(" · ")}
      </p>
    </Section>
  );
}
