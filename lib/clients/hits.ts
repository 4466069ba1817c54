import type { ClientHit } from "@/lib/clients/api-schema";
import { folded } from "@/lib/core/fields/folded";
import { date } from "@/lib/core/fields/format";

/** Returns text that distinguishes a client from other results with the same name; "" if the name is unique. */
export function distinguishHit(client: ClientHit, found: readonly ClientHit[]): string {
  const same = (other: ClientHit) => folded(other.name) === folded(client.name);
  if (found.filter(same).length < 2) return "";
  return client.yearOfBirth ? `born ${client.yearOfBirth}` : `since ${date(client.createdOn)}`;
}
