import type { Client } from "@/lib/clients/api-schema";
import { MASKED_NUMBER } from "@/lib/core/fields/phone";

/** The path of the phone number in a form, a client, and their changes. */
export const PHONE_PATH = "client.clientBiographicalEntry.phoneNumber";

/** Returns the phone number of a client; "" if there is none. */
export const numberOf = (client: Pick<Client, "clientBiographicalEntry">) =>
  client.clientBiographicalEntry?.phoneNumber ?? "";

/** Returns the client with another phone number. */
export const withNumber = (client: Client, phoneNumber: string): Client => ({
  ...client,
  clientBiographicalEntry: client.clientBiographicalEntry && {
    ...client.clientBiographicalEntry,
    phoneNumber,
  },
});

/** Returns the client with a mask in place of a phone number, for a caller who did not request it. */
export const withMaskedNumber = (client: Client): Client =>
  numberOf(client) ? withNumber(client, MASKED_NUMBER) : client;

/** Returns two records for a page that compares them: only if their phone numbers differ, their masks do. */
export function withoutNumbers(client: Client, other: Client): { client: Client; other: Client } {
  const differ = numberOf(client) !== numberOf(other);
  const mask = (of: Client) =>
    withNumber(of, numberOf(of) && (differ ? `${MASKED_NUMBER} of client ${of.id}` : MASKED_NUMBER));
  return { client: mask(client), other: mask(other) };
}

/** Returns a record with the phone number of the same record as it is stored. */
export const withNumbersOf = (client: Client, stored: Client): Client => withNumber(client, numberOf(stored));
