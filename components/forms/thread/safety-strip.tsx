import { PhoneNumber } from "@/components/clients/phone-number";
import { warningsOf } from "@/components/forms/summary";
import { choicesOf } from "@/components/record/choices";
import type { Client } from "@/lib/clients/api-schema";
import { biographical } from "@/lib/clients/schema";
import { fieldsOf } from "@/lib/core/fields/facts";
import { date } from "@/lib/core/text/format";
import type { Thread } from "@/lib/forms/by-client/read";
import type { LastValue } from "@/lib/forms/by-client/schema";
import type { FormLists } from "@/lib/lookups/schema";
import type { Stay } from "@/lib/shelter/api-schema";

/**
 * Shows the facts a colleague must know before a call. The phone number stays on the server until the user requests it.
 * Warnings are only what forms report, each with its day.
 */
export function SafetyStrip({
  client,
  latest,
  openStay,
  warnings,
  seesAllForms,
  lists,
}: {
  client: Client;
  /** The stay in shelter that has not ended; undefined if there is none that the reader may know of. */
  openStay: Stay | undefined;
  /** The newest form; null if there is none that the reader may know of. */
  latest: Thread["latest"];
  warnings: readonly LastValue[];
  seesAllForms: boolean;
  lists: FormLists;
}) {
  const { phoneNumber, safeToCall } = client.clientBiographicalEntry ?? {};
  const phone = fieldsOf(biographical.schema).find(({ name }) => name === "phoneNumber");
  const words = warningsOf(warnings, choicesOf(lists));
  return (
    <section aria-label="Safety" className="card px-4 py-3 sm:px-5">
      <dl className="grid gap-x-6 gap-y-2 lg:grid-cols-[repeat(auto-fit,minmax(11rem,1fr))]">
        {phone && !phone.facts.hidden && (
          <div>
            <dt className="text-muted text-sm">{phone.facts.label}</dt>
            <dd className="flex flex-wrap items-center gap-2">
              {phoneNumber ? (
                <PhoneNumber clientId={client.id} safeToCall={safeToCall ?? false} />
              ) : (
                "None recorded"
              )}
            </dd>
          </div>
        )}
        {latest && (
          <div>
            <dt className="text-muted text-sm">Last contact</dt>
            <dd>{`${date(latest.serviceOn)} · ${latest.formType}`}</dd>
          </div>
        )}
        {openStay && (
          <div>
            <dt className="text-muted text-sm">In shelter</dt>
            <dd className="wrap-anywhere">
              {`${openStay.shelter.name}, `}
              <span className="whitespace-nowrap">{`since ${date(openStay.enteredOn)}`}</span>
            </dd>
          </div>
        )}
        <div>
          <dt className="text-muted text-sm">Safety facts from forms</dt>
          {words.map((text) => (
            <dd key={text} className="wrap-anywhere font-semibold">
              {text}
            </dd>
          ))}
          {words.length === 0 && <dd className="text-muted">No safety facts in these forms.</dd>}
          {!seesAllForms && <dd className="text-muted">Colleagues’ forms may contain more.</dd>}
        </div>
      </dl>
    </section>
  );
}
