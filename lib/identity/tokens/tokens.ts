import "server-only";
import { changesOf } from "@/lib/audit/changes";
import { audit } from "@/lib/audit/record";
import { can, type NamedItem } from "@/lib/core/access/permissions";
import { assertAllowed } from "@/lib/core/access/scope";
import { db, queryIn, rows } from "@/lib/core/database/client";
import { isoTimestamp } from "@/lib/core/database/record-read";
import { invalid, notFound } from "@/lib/core/errors";
import { parseSubnet } from "@/lib/core/process/subnets";
import { sql } from "@/lib/core/sql";
import { today } from "@/lib/core/text/format";
import { randomToken, tokenHash } from "@/lib/identity/mail/link-token";
import type { Actor } from "@/lib/identity/session";
import type { ApiToken, NewApiToken } from "@/lib/identity/tokens/api-schema";
import { TOKEN_PREFIX } from "@/lib/identity/tokens/bearer";
import { type TokenInput, tokenSchema } from "@/lib/identity/tokens/schema";

// API tokens. A program with a token acts as the user who made it.

/** Returns the actor's own tokens, newest first. Includes expired tokens until they are removed. */
export async function listApiTokens(actor: Actor): Promise<ApiToken[]> {
  assertAllowed(actor, "api-tokens");
  return rows(
    sql`SELECT t.id, t.name, t.expires_on::text AS "expiresOn", t.addresses, ${isoTimestamp(sql`t.created_at`)} AS "createdAt",
       t.last_used_on::text AS "lastUsedOn",
       COALESCE((SELECT json_agg(json_build_object('id', p.id, 'name', p.name) ORDER BY p.id)
         FROM permissions p WHERE p.id = ANY(t.permission_ids)), '[]') AS permissions
     FROM api_tokens t JOIN users u ON u.id = t.user_id AND u.device_generation = t.generation
     WHERE t.user_id = ${actor.userId} ORDER BY t.id DESC`,
  );
}

/** Returns the token data of the profile page; null for users without API Tokens. */
export async function accessTokens(
  actor: Actor,
): Promise<{ tokens: ApiToken[]; permissions: NamedItem[]; today: string } | null> {
  if (!can(actor, "api-tokens")) return null;
  return { tokens: await listApiTokens(actor), permissions: actor.permissions, today: today() };
}

/**
 * Creates a token, which only this response contains. Throws 422 for permissions that the actor does not hold, and for
 * an invalid address or subnet.
 */
export async function createApiToken(actor: Actor, input: TokenInput): Promise<NewApiToken> {
  assertAllowed(actor, "api-tokens");
  const heldIds = actor.permissions.map(({ id }) => id);
  if (input.permissionIds.length === 0)
    throw invalid("apiToken.permissionIds", "Choose what the token may do");
  if (!input.permissionIds.every((id) => heldIds.includes(id)))
    throw invalid("apiToken.permissionIds", "A token can have only permissions that you have");
  const wrong = input.addresses.find((address) => parseSubnet(address) === null);
  if (wrong !== undefined)
    throw invalid("apiToken.addresses", `${wrong} is not an address or subnet, such as 10.20.0.0/16`);

  const token = TOKEN_PREFIX + randomToken();
  const id = await db().$transaction(async (tx) => {
    const { deviceGeneration: generation } = await tx.user.findUniqueOrThrow({
      where: { id: actor.userId },
      select: { deviceGeneration: true },
    });
    // Tokens of a former generation no longer work.
    await tx.apiToken.deleteMany({ where: { userId: actor.userId, generation: { not: generation } } });
    const { id } = await tx.apiToken.create({
      data: {
        ...input,
        expiresOn: new Date(input.expiresOn),
        userId: actor.userId,
        tokenHash: tokenHash(token),
        generation,
      },
      select: { id: true },
    });
    const changes = changesOf(tokenSchema, null, input, "apiToken");
    await audit(queryIn(tx), actor, { action: "created", entity: "apiToken", entityId: id, changes });
    return id;
  });
  const newToken = (await listApiTokens(actor)).find((listed) => listed.id === id);
  if (!newToken) throw notFound();
  return { ...newToken, token };
}

/** Ends one of the actor's own tokens at once. Throws 404 if there is none with that id. */
export async function endApiToken(actor: Actor, id: number): Promise<void> {
  assertAllowed(actor, "api-tokens");
  await db().$transaction(async (tx) => {
    const { count } = await tx.apiToken.deleteMany({ where: { id, userId: actor.userId } });
    if (count === 0) throw notFound();
    await audit(queryIn(tx), actor, { action: "removed", entity: "apiToken", entityId: id });
  });
}
