import type { ReactNode } from "react";
import { PhoneNumber } from "@/components/clients/phone-number";
import { BIOGRAPHICAL, DEMOGRAPHIC } from "@/components/clients/sections";
import { choicesOf } from "@/components/record/choices";
import { type ReadingRow, readSection } from "@/components/record/reading";
import { type Badge, StatusBadge } from "@/components/ui/badge";
import { Section } from "@/components/ui/section";
import { biographical, type Client, clientSchema } from "@/lib/clients/schema";
import { fullName } from "@/lib/core/access/permissions";
import { labelIn } from "@/lib/core/fields/facts";
import { date } from "@/lib/core/fields/format";
import type { FormLists } from "@/lib/lookups/schema";

const SAFE: Badge = {
  status_code: "success",
  status_title: "Phone",
  description: "It is safe to call this client",
  display_status: "Safe to call",
};
const NOT_MARKED_SAFE: Badge = {
  status_code: "danger",
  status_title: "Phone",
  description: "No one has recorded that it is safe to call this client",
  display_status: "Not marked safe to call",
};

/**
 * Shows a client's details at a glance. The phone number stays on the server. The page only indicates if there is one
 * and if calling is safe.
 */
export function ClientOverview({ client, lists }: { client: Client; lists: FormLists }) {
  const choices = choicesOf(lists);
  const { phoneNumber, safeToCall = false, ...rest } = client.clientBiographicalEntry ?? {};
  const rows = [
    readSection(DEMOGRAPHIC, client.clientDemographicEntry, choices),
    readSection(BIOGRAPHICAL, rest, choices),
  ]
    .flatMap(({ parts }) => parts)
    .flatMap(({ rows }) => rows);
  return (
    <Section title="At a glance">
      <Known
        rows={[
          { label: "Advocate", text: fullName(client.user) },
          { label: "Client since", text: date(client.createdOn) },
          ...(client.significantOther
            ? [
                {
                  label: labelIn(clientSchema, "significantOther"),
                  text: client.relationshipToSurvivor || "Yes",
                },
              ]
            : []),
        ]}
      >
        <dt className="text-muted text-sm">{labelIn(biographical.schema, "phoneNumber")}</dt>
        <dd className="flex flex-wrap items-center gap-2">
          {phoneNumber ? (
            <>
              <StatusBadge badge={safeToCall ? SAFE : NOT_MARKED_SAFE} />
              <PhoneNumber clientId={client.id} />
            </>
          ) : (
            "None recorded"
          )}
        </dd>
      </Known>
      {rows.length > 0 ? (
        <Known rows={distinct(rows)} />
      ) : (
        <p className="text-muted">No other details are recorded. Choose Edit to add more.</p>
      )}
    </Section>
  );
}

type Row = Pick<ReadingRow, "label" | "text">;

/** Both parts of a record have an age bracket. It is shown once if they agree. */
const distinct = (rows: readonly Row[]) =>
  rows.filter(
    ({ label, text }, index) =>
      rows.findIndex((other) => other.label === label && other.text === text) === index,
  );

function Known({ rows, children }: { rows: readonly Row[]; children?: ReactNode }) {
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-2 sm:gap-x-6 lg:grid-cols-3">
      {rows.map(({ label, text }) => (
        <div key={`${label} ${text}`}>
          <dt className="text-muted text-sm">{label}</dt>
          <dd className="wrap-anywhere">{text}</dd>
        </div>
      ))}
      {children && <div className="max-lg:col-span-2">{children}</div>}
    </dl>
  );
}
