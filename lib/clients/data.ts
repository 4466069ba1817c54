import "server-only";
import { inUse, invalidFields, isForeignKeyViolation, notFound } from "@/lib/api/errors";
import { once } from "@/lib/api/idempotency";
import type { Meta } from "@/lib/api/paging";
import { audit } from "@/lib/auth/audit";
import type { SessionUser } from "@/lib/auth/permissions";
import {
  type Client,
  type ClientInput,
  type ClientListItem,
  type clientListQuery,
  clientSchema,
  demographic,
} from "@/lib/clients/schema";
import { db, type Tx } from "@/lib/database/client";
import { readPage } from "@/lib/database/list";
import { merge, plainOf, selectOf, writeOf } from "@/lib/database/records";
import { checkReferences } from "@/lib/database/references";
import { saveVersion } from "@/lib/database/versions";
import { today } from "@/lib/fields/format";
import { problemsOnWire } from "@/lib/fields/validation";

type Values = Record<string, unknown>;
type ListQuery = ReturnType<typeof clientListQuery.parse>;

const SELECT = {
  ...selectOf(clientSchema),
  userId: true,
  createdOn: true,
  lockVersion: true,
  user: { select: { id: true, firstName: true, lastName: true } },
};

/** The clients of a page (spec §7), shared by all who hold Clients. */
export async function listClients(query: ListQuery): Promise<{ clients: ClientListItem[]; meta: Meta }> {
  const { items, meta } = await readPage<ClientListItem>(
    {
      table: "clients c",
      alias: "c",
      joins: "JOIN users u ON u.id = c.user_id",
      item: `json_build_object('id', c.id, 'name', c.name, 'userId', c.user_id, 'createdOn', c.created_on,
        'user', json_build_object('id', u.id, 'firstName', u.first_name, 'lastName', u.last_name))`,
      where: ["($1::int IS NULL OR c.user_id = $1)"],
      values: [query.filters.userId],
      searched: ["c.name"],
      sorts: {
        name: "lower(c.name)",
        advocate: "lower(u.first_name || ' ' || u.last_name)",
        createdOn: "c.created_on",
      },
    },
    query,
  );
  return { clients: items, meta };
}

/** One client, and a note of who looked. 404 when there is none. */
export async function getClient(actor: SessionUser, id: number): Promise<Client> {
  const client = await readClient(db(), id);
  await audit(db(), actor, "viewed", "client", id);
  return client;
}

/** Creates a client of the actor's; the answer of a repeated `key` is the first one's. */
export async function createClient(
  actor: SessionUser,
  input: ClientInput,
  key: string | null,
): Promise<Client> {
  return db().$transaction((tx) =>
    once(tx, actor, key, { client: input }, async () => {
      const values = await prepare(tx, null, input);
      const { id } = await tx.client.create({
        data: {
          ...(writeOf(clientSchema, values, null) as { name: string }),
          createdOn: new Date(`${today()}T00:00:00Z`),
          userId: actor.userId,
          updatedById: actor.userId,
        },
      });
      await audit(tx, actor, "created", "client", id);
      return readClient(tx, id);
    }),
  );
}

/** Updates a client; the owner stays. 404 unknown, 409 when `lockVersion` is old, 422 with the fields. */
export async function updateClient(actor: SessionUser, id: number, input: ClientInput): Promise<Client> {
  return saveVersion("clients", id, input.lockVersion, async (tx) => {
    const stored = (await readClient(tx, id)) as unknown as Values;
    const values = await prepare(tx, stored, input);
    await tx.client.update({
      where: { id },
      data: {
        ...writeOf(clientSchema, values, stored),
        updatedById: actor.userId,
        lockVersion: { increment: 1 },
      },
    });
    await audit(tx, actor, "updated", "client", id);
    return readClient(tx, id);
  });
}

/** Removes a client that no form points to; 409 says by how many it is used. */
export async function removeClient(actor: SessionUser, id: number): Promise<void> {
  try {
    await db().$transaction(async (tx) => {
      const client = await tx.client.findUnique({
        where: { id },
        select: { _count: { select: { forms: true } } },
      });
      if (!client) throw notFound();
      const { forms } = client._count;
      if (forms > 0) throw inUse("client", forms, "form");
      await tx.client.delete({ where: { id } });
      await audit(tx, actor, "removed", "client", id);
    });
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
    // A form that came in after the count.
    throw inUse("client", await db().form.count({ where: { clientId: id } }), "form");
  }
}

async function readClient(tx: Tx, id: number): Promise<Client> {
  const row = await tx.client.findUnique({ where: { id }, select: SELECT });
  if (!row) throw notFound();
  return plainOf(row) as Client;
}

/** The values to store: what is stored, what was sent over it, and the clearing rules over both. */
async function prepare(tx: Tx, stored: Values | null, input: ClientInput): Promise<Values> {
  const problems: Record<string, string> = {};
  const values = merge(stored, input, "client", problems);
  if (Object.keys(problems).length > 0) throw invalidFields(problemsOnWire(problems));
  await checkReferences(tx, "client", input);
  const entry = values.clientDemographicEntry as ClientInput["clientDemographicEntry"];
  if (!entry) return values;
  const other = await tx.ethnicity.findFirst({ where: { name: "Other" }, select: { id: true } });
  return { ...values, clientDemographicEntry: demographic.clear(entry, other?.id ?? null) };
}
