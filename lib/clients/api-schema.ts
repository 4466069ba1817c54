import * as z from "zod/mini";
import { clientSchema } from "@/lib/clients/schema";
import { idFilter, listQuery } from "@/lib/core/api/list-query";
import { person } from "@/lib/core/api/response";
import { responseOf } from "@/lib/core/fields/responses";
import { id, searchText, TEXT_MAX } from "@/lib/core/fields/validation";
import { wireBody } from "@/lib/core/fields/wire";

// The bodies, responses, and queries of the API. Screens use only their types, so browsers do not load them.

/** The body of `POST /api/clients` and `PUT /api/clients/{id}`. */
export const clientBody = wireBody(z.object({ client: clientSchema }));

/** A client as returned. */
export const clientResponse = z.extend(responseOf(clientSchema), {
  userId: id(),
  user: person,
  createdOn: z.iso.date(),
});
export type Client = z.output<typeof clientResponse>;

/** A row of the clients list, with only the fields the list shows. */
export const clientListItem = z.pick(clientResponse, {
  id: true,
  name: true,
  userId: true,
  user: true,
  createdOn: true,
});
export type ClientListItem = z.output<typeof clientListItem>;

/** A search result, with just enough to distinguish two people with the same name. */
export const clientHit = z.object({
  id: id(),
  name: z.string(),
  advocate: z.string(),
  yearOfBirth: z.nullable(z.int()),
  createdOn: z.iso.date(),
  /** The number of the client's forms that the caller may see. */
  forms: z.int(),
});
export type ClientHit = z.output<typeof clientHit>;

/** The body of `POST /api/clients/search`. */
export const clientSearchBody = z.object({ search: searchText() });
/** The body of `POST /api/clients/similar`. */
export const clientSimilarBody = z.object({ name: searchText() });

/** The body of `POST /api/clients/{id}/compared`. */
export const clientComparedBody = z.object({
  // As they are stored: nothing is changed before they are compared.
  phoneNumbers: z.array(z.string().check(z.maxLength(TEXT_MAX))).check(z.maxLength(2)),
});

export const clientListQuery = listQuery(
  ["name", "advocate", "createdOn"],
  { userId: idFilter() },
  { sort: "createdOn", order: "desc" },
);

/** The numbers of records that a user has, or that were transferred. */
export const work = z.object({ clients: z.int(), drafts: z.int(), returned: z.int() });
