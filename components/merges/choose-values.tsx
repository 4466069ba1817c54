"use client";

import { useRouter } from "next/navigation";
import { useMemo, useState, useTransition } from "react";
import { compared, proposed } from "@/components/merges/proposal";
import { merged } from "@/components/record/differences";
import { FieldChoices } from "@/components/record/field-choices";
import { ErrorAlert } from "@/components/ui/alert";
import { Button, LinkButton } from "@/components/ui/controls";
import { useNotify } from "@/components/ui/notifications";
import { Section } from "@/components/ui/section";
import { useFailure } from "@/components/ui/use-failure";
import { call, isCode, messagesOf } from "@/lib/api/client";
import { fullName } from "@/lib/auth/permissions";
import { type Client, clientSchema } from "@/lib/clients/schema";
import { counted, date } from "@/lib/fields/format";
import { toWire } from "@/lib/fields/wire";
import type { FormLists } from "@/lib/lookups/schema";
import { mergedSchema } from "@/lib/merges/schema";

const WORDS = {
  theirs: { side: "This", all: "All of this record" },
  mine: { side: "Other", all: "All of the other record" },
};

/** Two records of one client side by side: chooses what remains of each field that differs, and merges them. */
export function ChooseValues({
  client,
  other,
  lists,
  forms,
}: {
  client: Client;
  other: Client;
  lists: FormLists;
  /** How many forms each has, by its id. */
  forms: Record<number, number>;
}) {
  const router = useRouter();
  const notify = useNotify();
  const { messages, busy, run } = useFailure();
  const [outdated, setOutdated] = useState(false);
  const [leaving, startLeaving] = useTransition();
  const { record, versions, found } = useMemo(() => compared(client, other, lists), [client, other, lists]);
  const [kept, setKept] = useState(() => proposed(found));
  const countOf = ({ id }: Client) => forms[id] ?? 0;

  const merge = () =>
    run(
      async () => {
        const values = merged(versions, record, found, (name) => kept.has(name));
        await call("POST /api/clients/{id}/merge", {
          params: { id: client.id },
          body: {
            client: toWire(clientSchema, values),
            other: toWire(mergedSchema, other),
          },
        });
        notify.success(`Merged client ${other.id} into client ${client.id}`);
        startLeaving(() => {
          router.push(`/clients/${client.id}`);
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
      <div className="grid gap-4 md:grid-cols-2">
        <Known title="This record remains" client={client} forms={countOf(client)} />
        <Known title="The other record goes" client={other} forms={countOf(other)} />
      </div>
      <Section
        title="What remains"
        description={
          found.length > 0
            ? "Choose a value of each field that differs."
            : "The two records differ in nothing but their forms."
        }
      >
        <FieldChoices found={found} theirs={kept} onChange={setKept} words={WORDS} />
      </Section>
      <Section title="What happens">
        <p>
          {`Client ${other.id} and its ${counted(countOf(other), "form")} become part of client ${client.id}, which then has the values chosen above. Client ${other.id} is no longer listed or found. This can be undone for 30 days.`}
        </p>
        <ErrorAlert messages={messages} />
        <div className="form-actions">
          {outdated && <Button onClick={() => router.refresh()}>Show both as they are now</Button>}
          <LinkButton href={`/clients/${other.id}/merge?with=${client.id}`}>
            Keep the other record instead
          </LinkButton>
          <LinkButton href={`/clients/${client.id}`}>Cancel</LinkButton>
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
