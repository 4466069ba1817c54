import { PhoneBadge, recordRevealed } from "@/components/clients/phone-number";
import { presentClient } from "@/components/record/present-client";
import type { HiddenValue } from "@/components/record/use-conflict";
import type { Client } from "@/lib/clients/api-schema";
import { numberOf, PHONE_PATH, withNumber, withNumbersOf } from "@/lib/clients/masked";
import { call } from "@/lib/core/api/client";
import { MASKED_NUMBER } from "@/lib/core/fields/phone";

/**
 * Returns how a conflict reads the stored client and its phone number. The screen has the number that it loaded and the
 * typed one; it gets another one only when the user requests or chooses it.
 */
export const storedClient = (
  loaded: string,
  typed: string,
): { read: (id: number) => Promise<Client>; hidden: HiddenValue<Client> } => ({
  read: (id) => presentClient(id, [loaded, typed]),
  hidden: {
    name: PHONE_PATH,
    badge: ({ clientBiographicalEntry }) => (
      <PhoneBadge safeToCall={clientBiographicalEntry?.safeToCall ?? false} />
    ),
    isHidden: (client) => numberOf(client) === MASKED_NUMBER,
    async reveal(client) {
      await recordRevealed([client.id]);
      const { client: stored } = await call("GET /api/clients/{id}", { params: { id: client.id } });
      return withNumbersOf(client, stored);
    },
    withLoaded: (client) => withNumber(client, loaded),
  },
});
