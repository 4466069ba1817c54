import { readClient } from "@/components/forms/reading";
import { ReadingBlocks } from "@/components/forms/reading-view";
import { choicesOf } from "@/components/record/choices";
import type { Client } from "@/lib/clients/api-schema";
import { fullName } from "@/lib/core/access/permissions";
import { date } from "@/lib/core/text/format";
import type { FormLists } from "@/lib/lookups/schema";

/** A client's own record to read, folded, without the phone number. */
export function ClientDetails({ client, lists }: { client: Client; lists: FormLists }) {
  const { clientBiographicalEntry: entry } = client;
  const shown = {
    ...client,
    clientBiographicalEntry: entry && { ...entry, phoneNumber: "", safeToCall: false },
  };
  return (
    <details className="card px-4 py-1 sm:px-5">
      <summary className="min-h-control content-center">
        <h2 className="inline font-semibold text-lg">Client details</h2>
      </summary>
      <p className="text-muted">
        {`Advocate ${fullName(client.user)}, client since ${date(client.createdOn)}`}
      </p>
      <div className="pb-3">
        <ReadingBlocks blocks={readClient(shown, choicesOf(lists))} />
      </div>
    </details>
  );
}
