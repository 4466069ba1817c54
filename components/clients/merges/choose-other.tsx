"use client";

import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { FormProvider, useForm } from "react-hook-form";
import { ClientPicker, findClients } from "@/components/forms/client-picker";
import { LinkButton } from "@/components/ui/controls";
import { PageProgress } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import type { Client, ClientHit } from "@/lib/clients/api-schema";
import { markOf } from "@/lib/clients/hits";
import { to } from "@/lib/core/pages";

/** Lets the user choose the record to merge into this client, from similar names or from a search. */
export function ChooseOther({
  client,
  similar,
}: {
  client: Pick<Client, "id" | "name">;
  similar: readonly ClientHit[];
}) {
  const router = useRouter();
  const [leaving, startLeaving] = useTransition();
  const form = useForm({ defaultValues: { other: null } });
  const others = (found: readonly ClientHit[]) => found.filter(({ id }) => id !== client.id);
  const addressOf = ({ id }: ClientHit) => `${to("clientsMerge", { id: client.id })}?with=${id}`;
  const alike = others(similar);

  return (
    <Section
      title={<span className="wrap-anywhere">{`Which other record is also for ${client.name}?`}</span>}
      description="Merging combines two records of one client into one record with the forms of both. You compare them first. Nothing changes until you confirm."
    >
      {alike.length > 0 && (
        <ul className="flex flex-col gap-2" aria-label="Records with a similar name">
          {alike.map((hit) => (
            <li key={hit.id}>
              <LinkButton href={addressOf(hit)} size="sm" className="max-w-full">
                <span className="wrap-anywhere">
                  {hit.name}
                  <span className="font-normal text-muted">
                    {" – "}
                    {[`client ${hit.id}`, markOf(hit), hit.advocate].join(" · ")}
                  </span>
                </span>
              </LinkButton>
            </li>
          ))}
        </ul>
      )}
      <FormProvider {...form}>
        <ClientPicker
          name="other"
          chosen=""
          search={async (text) => others(await findClients(text))}
          onChoose={(hit) => startLeaving(() => router.push(addressOf(hit)))}
        />
      </FormProvider>
      {leaving && <PageProgress />}
      <div className="form-actions">
        <LinkButton href={to("clientsShow", { id: client.id })}>Cancel</LinkButton>
      </div>
    </Section>
  );
}
