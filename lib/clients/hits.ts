import type { ClientHit } from "@/lib/clients/api-schema";
import { folded } from "@/lib/core/text/folded";
import { counted, date } from "@/lib/core/text/format";

/** A client among others who may have the same name. The id of a client without a record is null. */
export type Namesake = Pick<ClientHit, "name" | "yearOfBirth" | "createdOn"> & { id: number | null };

/**
 * Returns what distinguishes most clients with the same name: the year of birth, or else the day of the record; "" if
 * neither is known.
 */
export function markOf({ yearOfBirth, createdOn }: Pick<ClientHit, "yearOfBirth" | "createdOn">): string {
  if (yearOfBirth) return `born ${yearOfBirth}`;
  return createdOn ? `since ${date(createdOn)}` : "";
}

/** Returns the client's mark, with the client's number if another one of these clients has the same mark. */
function markAmong(client: Namesake, namesakes: readonly Namesake[]): string {
  const mark = markOf(client);
  const isUnique = namesakes.filter((other) => markOf(other) === mark).length === 1;
  const number = isUnique && mark ? "" : `client ${client.id}`;
  return [mark, number].filter(Boolean).join(", ");
}

/** Returns text that distinguishes a client from other results with the same name; "" if the name is unique. */
export function distinguishHit(client: ClientHit, found: readonly ClientHit[]): string {
  const namesakes = found.filter(({ name }) => folded(name) === folded(client.name));
  return namesakes.length > 1 ? markAmong(client, namesakes) : "";
}

/** Returns the clients' names in their order. A name that several have is followed by what distinguishes each of them. */
export function distinctNames(clients: readonly Namesake[]): string[] {
  const byName = new Map<string, Namesake[]>();
  for (const client of clients) {
    const name = folded(client.name);
    const namesakes = byName.get(name);
    if (namesakes) namesakes.push(client);
    else byName.set(name, [client]);
  }
  return clients.map((client) => {
    const namesakes = byName.get(folded(client.name)) ?? [];
    if (client.id === null || namesakes.length < 2) return client.name;
    return `${client.name} · ${markAmong(client, namesakes)}`;
  });
}

/** Returns the number of the client's forms, `3 forms`; "" if the user sees none. */
export const formsOfHit = ({ forms }: Pick<ClientHit, "forms">): string =>
  forms > 0 ? counted(forms, "form") : "";
