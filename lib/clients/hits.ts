import type { ClientHit } from "@/lib/clients/api-schema";
import { folded } from "@/lib/core/text/folded";
import { counted, date } from "@/lib/core/text/format";

/** Returns text that distinguishes a client from other results with the same name; "" if the name is unique. */
export function distinguishHit(client: ClientHit, found: readonly ClientHit[]): string {
  const same = (other: ClientHit) => folded(other.name) === folded(client.name);
  if (found.filter(same).length < 2) return "";
  return client.yearOfBirth ? `born ${client.yearOfBirth}` : `since ${date(client.createdOn)}`;
}

/** Returns the number of the client's forms, `3 forms`; "" if the user sees none. */
export const formsOfHit = ({ forms }: Pick<ClientHit, "forms">): string =>
  forms > 0 ? counted(forms, "form") : "";
