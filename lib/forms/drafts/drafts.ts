import "server-only";
import { audit, auditRead, auditRefused, rowsRecorded } from "@/lib/audit/record";
import { currentIds, MERGED_INTO } from "@/lib/clients/merged";
import { can, type NamedItem, type SessionUser } from "@/lib/core/access/permissions";
import {
  assertAllowed,
  type Hiding,
  REMAINING,
  selectClients,
  selectForms,
  visibleClientsWhere,
  visibleFormsWhere,
  withoutActor,
} from "@/lib/core/access/scope";
import { type Query, queryIn, rows, type Tx } from "@/lib/core/database/client";
import type { Statement } from "@/lib/core/database/record-write";
import { AppError, notFound, unauthorized } from "@/lib/core/errors";
import { constant, empty, type Sql, sql } from "@/lib/core/sql";
import { HEADER_BYTES, seal, sealHeaders, unseal } from "@/lib/forms/drafts/cipher";
import {
  clientIdsIn,
  type Draft,
  type DraftInput,
  type DraftName,
  type DraftSummary,
  draftName,
  nameOf,
  phonedClientIn,
  withPresentClients,
} from "@/lib/forms/drafts/schema";

const LIVES = sql`updated_at > now() - interval '7 days'`;
/** The most drafts stored per user; older ones are deleted. */
const DRAFTS_MAX = 50;

/** Binds a ciphertext to this user and this key. */
const contextOf = ({ userId }: Pick<SessionUser, "userId">, key: string) => JSON.stringify([userId, key]);
const nameContextOf = ({ userId }: Pick<SessionUser, "userId">, key: string) =>
  JSON.stringify([userId, key, "name"]);

/**
 * Encrypts a draft's content (JSON) and its name so that only this owner's draft with this key opens them.
 */
const sealedFor = (
  owner: Pick<SessionUser, "userId">,
  key: string,
  text: string,
  content: DraftInput["content"] = JSON.parse(text),
) => ({
  name: Buffer.from(seal(JSON.stringify(nameOf(content)), nameContextOf(owner, key))),
  ciphertext: Buffer.from(seal(text, contextOf(owner, key))),
});

type Row = { key: string; formId: number | null; name: Buffer | null; updatedAt: Date };
const SUMMARY = sql`key, form_id AS "formId", name, updated_at AS "updatedAt"`;

type Named = Omit<Row, "name"> & DraftName;

/** Returns the drafts with their names decrypted. */
const named = (actor: Pick<SessionUser, "userId">, drafts: readonly Row[]): Named[] =>
  drafts.map(({ key, formId, name, updatedAt }) => {
    const opened = name && unseal(name, nameContextOf(actor, key));
    return { key, formId, updatedAt, ...draftName.parse(opened ? JSON.parse(opened) : {}) };
  });

/** Returns the list form of drafts, with the form type's name added. */
async function summaries(
  drafts: readonly Named[],
  savedForms: ReadonlyMap<string, number> = new Map(),
): Promise<DraftSummary[]> {
  const typeIds = drafts.flatMap(({ formTypeId }) => formTypeId ?? []);
  const types =
    typeIds.length > 0
      ? await rows<NamedItem>(sql`SELECT id, name FROM form_types WHERE id = ANY(${typeIds})`)
      : [];
  return drafts.map(({ key, formId, client, formTypeId, updatedAt }) => ({
    key,
    formId,
    client,
    updatedAt: updatedAt.toISOString(),
    formType: types.find(({ id }) => id === formTypeId)?.name ?? null,
    savedFormId: savedForms.get(key) ?? null,
  }));
}

/**
 * Returns, by the key of a draft of a new form, the id of a form saved since. It has the draft's client, type, and
 * date. The draft is probably not needed any more.
 */
async function savedSince(actor: SessionUser, drafts: readonly Named[]): Promise<Map<string, number>> {
  const complete = drafts.filter(
    ({ formId, formTypeId, serviceOn, clientId, clientName }) =>
      formId === null && formTypeId && serviceOn && (clientId || clientName),
  );
  if (complete.length === 0) return new Map();
  const saved = await rows<{ key: string; id: number }>(
    sql`SELECT n.key, f.id FROM jsonb_to_recordset(${JSON.stringify(complete)}::jsonb)
        AS n (key text, "formTypeId" int, "serviceOn" date, "clientId" int, "clientName" text, "updatedAt" timestamptz),
      LATERAL (${selectForms(
        sql`max(f.id) AS id`,
        visibleFormsWhere(actor),
        sql`f.user_id = ${actor.userId} AND f.form_type_id = n."formTypeId" AND f.service_on = n."serviceOn"
          AND f.created_at >= n."updatedAt"
          AND EXISTS (${selectClients(empty, visibleClientsWhere(actor), sql`c.id = f.client_id AND (c.id = n."clientId" OR c.name = n."clientName")`)})`,
      )}) f WHERE f.id IS NOT NULL`,
  );
  return new Map(saved.map(({ key, id }) => [key, id]));
}

/** SQL condition: the draft `d` can be decrypted and is about no hidden client. */
const openableWhere = ({ hiddenClients }: Hiding): Sql =>
  sql`substring(d.ciphertext FOR ${constant(HEADER_BYTES)}) = ANY(${sealHeaders()})
    AND NOT d.client_ids && ${hiddenClients}::int[]`;

/** SQL for the ids under which a draft may name the client: its own, and those of the clients merged into it. */
const idsOf = (clientId: number): Sql =>
  sql`array_append(ARRAY(SELECT merged_id FROM ${MERGED_INTO} AS links WHERE client_id = ${clientId}), ${clientId}::int)`;

/**
 * Returns the actor's own drafts that have not expired and can be decrypted. Drafts of forms that the actor no longer
 * sees are left out.
 */
const readDrafts = (actor: SessionUser, where: Sql = sql`TRUE`) =>
  rows<Row & { id: number }>(
    sql`SELECT id, ${SUMMARY} FROM drafts d
     WHERE user_id = ${actor.userId} AND ${where} AND ${LIVES} AND ${openableWhere(actor)}
       AND (form_id IS NULL OR EXISTS (${selectForms(empty, visibleFormsWhere(actor), sql`f.id = d.form_id`)}))
     ORDER BY updated_at DESC, id DESC`,
  );

/** Returns the actor's drafts, newest first, without their content. */
export async function listDrafts(actor: SessionUser): Promise<DraftSummary[]> {
  return summariesShown(actor, await readDrafts(actor));
}

/** Returns the actor's drafts of forms for this client, newest first, without their content. */
export async function draftsAbout(actor: SessionUser, clientId: number): Promise<DraftSummary[]> {
  return summariesShown(actor, await readDrafts(actor, sql`d.client_ids && ${idsOf(clientId)}`));
}

/**
 * Returns the number of drafts of forms from the first through the last day, before or after the draft's changes, and how
 * many of them are the actor's own. With All Forms, the drafts of all users are counted, without those about hidden clients;
 * otherwise only the actor's own.
 */
export async function countDrafts(
  actor: SessionUser,
  from: string,
  through: string,
): Promise<{ drafts: number; ownDrafts: number }> {
  const drafts = await rows<Row & { userId: number; serviceOn: string | null }>(
    sql`SELECT d.key, d.form_id AS "formId", d.name, d.updated_at AS "updatedAt", d.user_id AS "userId",
       (SELECT f.service_on::text FROM forms f WHERE f.id = d.form_id AND ${visibleFormsWhere(actor)}) AS "serviceOn"
     FROM drafts d WHERE (${can(actor, "all-forms")} OR d.user_id = ${actor.userId}) AND ${LIVES} AND ${openableWhere(actor)}
       AND (d.form_id IS NULL OR EXISTS (${selectForms(empty, visibleFormsWhere(actor), sql`f.id = d.form_id`)}))`,
  );
  const isWithin = (day: string | null) => day !== null && day >= from && day <= through;
  const counted = drafts.filter((draft) => {
    const [name] = named(draft, [draft]);
    return isWithin(draft.serviceOn) || isWithin(name?.serviceOn ?? null);
  });
  const own = counted.filter(({ userId }) => userId === actor.userId);
  return { drafts: counted.length, ownDrafts: own.length };
}

/** Returns drafts for a list and records the view, because draft names identify clients. */
async function summariesShown(
  actor: SessionUser,
  drafts: readonly (Row & { id: number })[],
): Promise<DraftSummary[]> {
  if (drafts.length > 0)
    await auditRead(actor, { action: "listed", entity: "draft", shown: drafts.map(({ id }) => id) });
  const withNames = named(actor, drafts);
  return summaries(withNames, await savedSince(actor, withNames));
}

/**
 * Returns one of the actor's drafts with its content. Throws 404 if there is none that the actor can still open.
 */
export async function getDraft(actor: SessionUser, key: string): Promise<Draft> {
  const [row] = await readDrafts(actor, sql`key = ${key}`);
  const [stored] = row
    ? await rows<{ ciphertext: Buffer }>(sql`SELECT ciphertext FROM drafts WHERE id = ${row.id}`)
    : [];
  const content = stored && unseal(stored.ciphertext, contextOf(actor, key));
  const [summary] = await summaries(named(actor, row ? [row] : []));
  if (!row || !content || !summary) {
    await auditUnseen(actor, key);
    throw notFound();
  }
  await auditRead(actor, { action: "viewed", entity: "draft", entityId: row.id });
  const typed: Draft["content"] = JSON.parse(content);
  // The screen that stored it may have been opened before the client was merged into another one.
  const present = withPresentClients(typed, await currentIds(rows, clientIdsIn(typed)));
  return { ...summary, content: present };
}

/** Records that the actor was refused one of their own drafts because they no longer see its form. */
async function auditUnseen(actor: SessionUser, key: string): Promise<void> {
  await rowsRecorded(
    actor,
    { action: "refused", entity: "draft", client: "client_id" },
    sql`SELECT d.id, f.client_id FROM drafts d JOIN forms f ON f.id = d.form_id
      WHERE d.user_id = ${actor.userId} AND d.key = ${key} AND NOT (${visibleFormsWhere(actor)})`,
  );
}

/** Records that a screen shows the phone number of a stored client in a field of this draft, if the draft has one. */
async function recordNumberInDraft(actor: SessionUser, { content }: Draft): Promise<void> {
  const clientId = phonedClientIn(content);
  if (clientId !== null)
    await auditRead(actor, { action: "revealed", entity: "client", entityId: clientId, clientId });
}

/** Returns the actor's drafts of this form, or of new forms (null): the one to continue, and the others. */
export async function openDrafts(
  actor: SessionUser,
  formId: number | null,
  wantedKey: unknown,
): Promise<{ draft: Draft | null; others: DraftSummary[] }> {
  const drafts = await readDrafts(actor, sql`form_id IS NOT DISTINCT FROM ${formId}::int`);
  const draftToContinue = drafts.find((draft) => draft.key === wantedKey);
  const draft = draftToContinue ? await getDraft(actor, draftToContinue.key) : null;
  // The page of a stored form records its client's number itself.
  if (draft && formId === null) await recordNumberInDraft(actor, draft);
  return {
    draft,
    others: await summariesShown(
      actor,
      drafts.filter((draft) => draft !== draftToContinue),
    ),
  };
}

/**
 * Stores `content` as the actor's draft under this key, replacing the earlier one. Throws 404 if its form or a client
 * it names does not exist for the actor. Throws 401 if another user typed it. Throws 409
 * if the draft was stored by another page since this one read or stored it, or was deleted since.
 */
export async function putDraft(actor: SessionUser, key: string, input: DraftInput): Promise<DraftSummary> {
  const { formId, content, page } = input;
  if (page && page.userId !== actor.userId) throw unauthorized();
  const pageId = page?.id ?? null;
  const seen = page?.updatedAt ?? null;
  if (formId !== null) {
    const [form] = await rows(
      sql`SELECT f.id FROM forms f JOIN clients c ON c.id = f.client_id
       WHERE f.id = ${formId} AND ${REMAINING} AND ${visibleFormsWhere(actor)}`,
    );
    if (!form) {
      await auditRefused(actor, "form", [formId]);
      throw notFound();
    }
  }
  const { name, ciphertext } = sealedFor(actor, key, JSON.stringify(content), content);
  const clientIds = [...new Set(clientIdsIn(content))];
  // A form that was open while its client was purged would restore the person's data. A running purge holds the lock on
  // the client's row, so this statement waits for it. A missing client is refused for every user. If only users with
  // hidden clients were refused, they would learn that such clients exist.
  const [stored] = await rows<Row | { key: null }>(
    sql`WITH named AS (
       SELECT coalesce((SELECT client_id FROM ${MERGED_INTO} AS links WHERE merged_id = given.id), given.id) AS id
       FROM unnest(${clientIds}::int[]) AS given (id)
       UNION SELECT client_id FROM forms WHERE id = ${formId}),
     there AS MATERIALIZED (SELECT id FROM clients c
       WHERE id = ANY(ARRAY(SELECT id FROM named)) AND ${visibleClientsWhere(actor)} ORDER BY id FOR KEY SHARE),
     allowed AS (SELECT WHERE NOT EXISTS (SELECT FROM named WHERE id NOT IN (SELECT id FROM there))),
     stored AS (INSERT INTO drafts (user_id, key, form_id, client_ids, name, ciphertext, page)
       SELECT ${actor.userId}::int, ${key}, ${formId}::int, ${clientIds}::int[], ${name}::bytea, ${ciphertext}::bytea, ${pageId}::text
       FROM allowed WHERE ${seen}::text IS NULL
         OR EXISTS (SELECT FROM drafts WHERE user_id = ${actor.userId} AND key = ${key})
     ON CONFLICT (user_id, key) DO UPDATE SET form_id = excluded.form_id, client_ids = excluded.client_ids, name = excluded.name,
       ciphertext = excluded.ciphertext, page = excluded.page, updated_at = now()
       WHERE excluded.page IS NULL OR drafts.page = excluded.page OR drafts.updated_at = ${seen}::text::timestamptz
     RETURNING ${SUMMARY})
     SELECT stored.* FROM allowed LEFT JOIN stored ON TRUE`,
  );
  if (!stored) throw notFound();
  if (stored.key === null)
    throw new AppError("conflict_version", "This draft was saved, changed, or discarded elsewhere");
  const [summary] = await summaries(named(actor, [stored]));
  if (!summary) throw notFound();
  await sweep(actor);
  return summary;
}

/** Adds to a statement the deletion of the actor's draft under this key, if the part `of` has a row. */
export function removeDraftPart(statement: Statement, actor: SessionUser, key: string, of: Sql): void {
  statement.with(sql`DELETE FROM drafts USING ${of} WHERE user_id = ${actor.userId} AND key = ${key}`);
}

/** Deletes the actor's draft under this key, if there is one. */
export async function removeDraft(actor: SessionUser, key: string, query: Query = rows): Promise<void> {
  await query(sql`DELETE FROM drafts WHERE user_id = ${actor.userId} AND key = ${key}`);
}

/** Deletes all users' expired drafts, and the actor's oldest drafts beyond the limit. */
async function sweep(actor: SessionUser): Promise<void> {
  await removeOldDrafts();
  await rows(
    sql`DELETE FROM drafts WHERE id IN (
       SELECT id FROM drafts WHERE user_id = ${actor.userId} ORDER BY updated_at DESC, id DESC OFFSET ${constant(DRAFTS_MAX)})`,
  );
}

/** Encrypts again all drafts that are encrypted with AUTH_SECRET_PREVIOUS. Returns the number of drafts. */
export async function renewDrafts(): Promise<number> {
  const [, previous] = sealHeaders();
  if (!previous) return 0;
  let count = 0;
  for (let after = 0; ; ) {
    const batch = await rows<{ id: number; userId: number; key: string; ciphertext: Buffer }>(
      sql`SELECT id, user_id AS "userId", key, ciphertext FROM drafts
       WHERE id > ${after} AND substring(ciphertext FOR ${constant(HEADER_BYTES)}) = ${previous} ORDER BY id LIMIT 10`,
    );
    for (const { id, key, ciphertext, ...owner } of batch) {
      after = id;
      const text = unseal(ciphertext, contextOf(owner, key));
      if (text === null) continue;
      const renewed = sealedFor(owner, key, text);
      // Skips a draft that its owner has saved since. `updated_at` does not change.
      const updated = await rows(
        sql`UPDATE drafts SET name = ${renewed.name}, ciphertext = ${renewed.ciphertext}
         WHERE id = ${id} AND ciphertext = ${ciphertext} RETURNING id`,
      );
      count += updated.length;
    }
    if (batch.length === 0) return count;
  }
}

/** Deletes expired drafts of all users. */
export async function removeOldDrafts(): Promise<void> {
  await rows(sql`DELETE FROM drafts WHERE NOT (${LIVES})`);
}

/**
 * Stores the clients of drafts from before 2026-11-28, whose clients only their encrypted content names. Until then, and
 * if AUTH_SECRET no longer opens them, nobody sees these drafts.
 */
export async function storeClientsOfDrafts(): Promise<void> {
  for (let after = 0; ; ) {
    const [draft] = await rows<{ id: number; userId: number; key: string; ciphertext: Buffer }>(
      sql`SELECT id, user_id AS "userId", key, ciphertext FROM drafts
       WHERE id > ${after} AND client_ids IS NULL ORDER BY id LIMIT 1`,
    );
    if (!draft) return;
    const { id, key, ciphertext, ...owner } = draft;
    after = id;
    const text = unseal(ciphertext, contextOf(owner, key));
    if (text === null) continue;
    await rows(
      sql`UPDATE drafts SET client_ids = ${clientIdsIn(JSON.parse(text))}::int[] WHERE id = ${id} AND client_ids IS NULL`,
    );
  }
}

/** Deletes all users' drafts about this client, whose row the caller has locked, or about a client merged into it. */
export async function removeDraftsAbout(query: Query, clientId: number): Promise<void> {
  const visible = withoutActor("a purge deletes the drafts of all users");
  await query(
    sql`DELETE FROM drafts WHERE client_ids && ${idsOf(clientId)}
       OR form_id IN (SELECT id FROM forms WHERE client_id = ${clientId} AND ${visible})`,
  );
}

/**
 * The work of the user `from`, except work about `hidden` clients; with `clientIds`, only work about these clients.
 */
export type Selection = { from: number; hidden: Hiding; clientIds?: readonly number[] };
type SelectedDraft = { id: number; key: string };

/**
 * Returns the selected drafts that can be decrypted. With a lock, no other session changes them until the transaction
 * ends.
 */
export async function draftsOf(
  query: Query,
  actor: SessionUser,
  { from, hidden, clientIds }: Selection,
  lock: Sql = empty,
): Promise<SelectedDraft[]> {
  assertAllowed(actor, ["users", "restrict-clients"]);
  const about = clientIds ? sql`(d.client_ids || f.client_id) && ${clientIds}::int[]` : sql`TRUE`;
  return query<SelectedDraft>(
    // biome-ignore lint/plugin: drafts about hidden clients are left out
    sql`SELECT d.id, d.key FROM drafts d LEFT JOIN forms f ON f.id = d.form_id
     WHERE d.user_id = ${from} AND ${openableWhere(hidden)} AND ${about}
       AND (f.client_id = ANY(${hidden.hiddenClients}::int[])) IS NOT TRUE ORDER BY d.id ${lock}`,
  );
}

/**
 * Gives the selected drafts to the colleague `to` and returns their number. Drafts of forms that the colleague does not
 * see stay. A draft stays if the colleague already has one with its key.
 */
export async function handOverDrafts(
  tx: Tx,
  actor: SessionUser,
  { to, ...selection }: Selection & { to: number },
): Promise<number> {
  const query = queryIn(tx);
  const drafts = await draftsOf(query, actor, selection, sql`FOR UPDATE OF d`);
  const movable = await query<{ id: number }>(
    // biome-ignore lint/plugin: the drafts were selected for the actor
    sql`SELECT d.id FROM drafts d LEFT JOIN forms f ON f.id = d.form_id
     WHERE d.id = ANY(${drafts.map(({ id }) => id)}::int[])
       AND NOT EXISTS (SELECT FROM drafts WHERE user_id = ${to} AND key = d.key)
       AND (d.form_id IS NULL OR f.user_id = ${to} OR EXISTS (
         SELECT FROM users u JOIN role_permissions rp ON rp.role_id = u.role_id JOIN permissions p ON p.id = rp.permission_id
         WHERE u.id = ${to} AND p.name = 'All Forms'))`,
  );
  const moved = drafts.filter(({ id }) => movable.some((draft) => draft.id === id));
  let count = 0;
  for (const { id, key } of moved) {
    const [stored] = await query<{ ciphertext: Buffer }>(sql`SELECT ciphertext FROM drafts WHERE id = ${id}`);
    const text = stored && unseal(stored.ciphertext, contextOf({ userId: selection.from }, key));
    if (!text) continue;
    await tx.draft.update({ where: { id }, data: { userId: to, ...sealedFor({ userId: to }, key, text) } });
    count += 1;
    const changes = [{ field: "draft.userId", from: selection.from, to }];
    await audit(query, actor, { action: "updated", entity: "draft", entityId: id, changes });
  }
  return count;
}
