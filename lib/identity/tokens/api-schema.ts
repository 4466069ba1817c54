import * as z from "zod/mini";
import { moment, namedItem } from "@/lib/core/api/response";
import { id } from "@/lib/core/fields/validation";
import { tokenSchema } from "@/lib/identity/tokens/schema";

// The bodies, responses, and queries of the API. Screens use only their types, so browsers do not load them.

export const tokenBody = z.object({ apiToken: tokenSchema });

export const apiToken = z.object({
  id: id(),
  name: z.string(),
  expiresOn: z.iso.date(),
  /** The token's permissions. Each call has those that the owner still holds. */
  permissions: z.array(namedItem),
  addresses: z.array(z.string()),
  createdAt: moment,
  /** The day of the token's last use; null if it was never used. */
  lastUsedOn: z.nullable(z.iso.date()),
});
export type ApiToken = z.output<typeof apiToken>;

/** The response to the token's creation, the only one that contains the token itself. */
export const newApiToken = z.extend(apiToken, { token: z.string() });
export type NewApiToken = z.output<typeof newApiToken>;
