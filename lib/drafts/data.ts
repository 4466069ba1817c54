import "server-only";
import { AppError, notFound } from "@/lib/api/errors";
import { audit, auditRead, auditRefused, rowsRecorded } from "@/lib/audit/record";
import type { NamedItem, SessionUser } from "@/lib/auth/permissions";
import {
  assertAllowed,
  type Hiding,
  visibleClientsWhere,
  visibleForms,
  visibleFormsWhere,
} from "@/lib/auth/scope";
import { currentIds, formerIds, MERGED_INTO } from "@/lib/clients/merged";
import { binding } from "@/lib/database/bind";
import { db, type Query, queryIn, rows, type Tx } from "@/lib/database/client";
import type { Statement } from "@/lib/database/record-write";
import { HEADER_BYTES, seal, sealHeaders, unseal } from "@/lib/drafts/cipher";
import {
  clientIdsIn,
  DRAFT_BYTES,
  type Draft,
  type DraftInput,
  type DraftSummary,
  draftName,
  nameOf,
  withPresentClients,
} from "@/lib/drafts/schema";

const LIVES = "updated_at > now() - interval '7 days'";
/** How many drafts of a user are kept; older ones are deleted. */
const KEPT = 50;

/** Binds a ciphertext to this user and this key. */
const contextOf = ({ userId }: Pick<SessionUser, "userId">, key: string) => JSON.stringify([userId, key]);
const nameContextOf = ({ userId }: Pick<SessionUser, "userId">, key: string) =>
  JSON.stringify([userId, key, "name"]);

/** A draft's content (JSON) and what it is called, which only this owner's draft of this key opens. */
const sealedFor = (owner: Pick<SessionUser, "userId">, key: string, text: string) => ({
  name: Buffer.from(seal(JSON.stringify(nameOf(JSON.parse(text))), nameContextOf(owner, key))),
  ciphertext: Buffer.from(seal(text, contextOf(owner, key))),
});

type Row = { key: string; formId: number | null; name: Buffer | null; updatedAt: Date };
const SUMMARY = 'key, form_id AS "formId", name, updated_at AS "updatedAt"';

/** Drafts as listed, each with its name opened and its form type named. */
async function summaries(actor: SessionUser, drafts: readonly Row[]): Promise<DraftSummary[]> {
  const named = drafts.map(({ key, formId, name, updatedAt }) => {
    const opened = name && unseal(name, nameContextOf(actor, key));
    const { client, formTypeId } = draftName.parse(opened ? JSON.parse(opened) : {});
    return { key, formId, client, formTypeId, updatedAt: updatedAt.toISOString() };
  });
  const typeIds = named.flatMap(({ formTypeId }) => formTypeId ?? []);
  const types =
    typeIds.length > 0
      ? await rows<NamedItem>("SELECT id, name FROM form_types WHERE id = ANY($1)", [typeIds])
      : [];
  return named.map(({ formTypeId, ...summary }) => ({
    ...summary,
    formType: types.find(({ id }) => id === formTypeId)?.name ?? null,
  }));
}

/** Whether a draft of `owner`, or the form it changes, is about a client who is hidden. */
function isAboutHidden(
  { hiddenClients }: Hiding,
  owner: Pick<SessionUser, "userId">,
  { key, ciphertext }: { key: string; ciphertext: Uint8Array | null },
): boolean {
  const text = hiddenClients.length > 0 && ciphertext ? unseal(ciphertext, contextOf(owner, key)) : null;
  return text !== null && clientIdsIn(JSON.parse(text)).some((id) => hiddenClients.includes(id));
}

/**
 * The actor's own drafts that have not expired and can be opened, for new forms or for forms that the actor still sees.
 */
const readDrafts = async (actor: SessionUser, key: string | null) => {
  const headers = sealHeaders();
  const { values, bind } = binding(actor.userId, headers, key);
  const scope = visibleFormsWhere(actor, bind);
  // Only the content says which client a draft of a new form is about.
  const opened = actor.hiddenClients.length > 0 ? "TRUE" : "key = $3";
  const drafts = await rows<Row & { id: number; ciphertext: Buffer | null }>(
    `SELECT id, ${SUMMARY}, CASE WHEN ${opened} THEN ciphertext END AS ciphertext FROM drafts d
     WHERE user_id = $1 AND ($3::text IS NULL OR key = $3) AND ${LIVES}
       AND substring(ciphertext FOR ${HEADER_BYTES}) = ANY($2)
       AND (form_id IS NULL OR EXISTS (SELECT FROM forms f WHERE f.id = d.form_id AND ${scope}))
     ORDER BY updated_at DESC, id DESC`,
    values,
  );
  return drafts.filter((draft) => !isAboutHidden(actor, actor, draft));
};

/** How many drafts the actor has. */
export const countDrafts = async (actor: SessionUser): Promise<number> =>
  (await readDrafts(actor, null)).length;

/** The actor's drafts, newest first, without their content. */
export async function listDrafts(actor: SessionUser): Promise<DraftSummary[]> {
  return shown(actor, await readDrafts(actor, null));
}

/** Drafts as listed; that they were is recorded, since their names tell of clients. */
async function shown(actor: SessionUser, drafts: readonly (Row & { id: number })[]): Promise<DraftSummary[]> {
  if (drafts.length > 0)
    await auditRead(actor, { action: "listed", entity: "draft", shown: drafts.map(({ id }) => id) });
  return summaries(actor, drafts);
}

/** One of the actor's drafts with its content; 404 if there is none that the actor can open (any more). */
export async function getDraft(actor: SessionUser, key: string): Promise<Draft> {
  const [row] = await readDrafts(actor, key);
  const content = row?.ciphertext && unseal(row.ciphertext, contextOf(actor, key));
  const [summary] = await summaries(actor, row ? [row] : []);
  if (!row || !content || !summary) {
    await auditUnseen(actor, key);
    throw notFound();
  }
  await auditRead(actor, { action: "viewed", entity: "draft", entityId: row.id });
  const stored: Draft["content"] = JSON.parse(content);
  // The screen that stored it may have been opened before the client was merged into another one.
  const present = withPresentClients(stored, await currentIds(rows, clientIdsIn(stored)));
  return { ...summary, content: present };
}

/** Records that the actor was refused a draft of their own because they no longer see its form. */
async function auditUnseen(actor: SessionUser, key: string): Promise<void> {
  await rowsRecorded(
    actor,
    { action: "refused", entity: "draft", client: "client_id" },
    (bind) => `SELECT d.id, f.client_id FROM drafts d JOIN forms f ON f.id = d.form_id
      WHERE d.user_id = ${bind(actor.userId)} AND d.key = ${bind(key)} AND NOT (${visibleFormsWhere(actor, bind)})`,
  );
}

/** The actor's drafts of this form, or of new forms (null): the one to continue, and the others. */
export async function openDrafts(
  actor: SessionUser,
  formId: number | null,
  wantedKey: unknown,
): Promise<{ draft: Draft | null; others: DraftSummary[] }> {
  const drafts = (await readDrafts(actor, null)).filter((draft) => draft.formId === formId);
  const wanted = drafts.find((draft) => draft.key === wantedKey);
  return {
    draft: wanted ? await getDraft(actor, wanted.key) : null,
    others: await shown(
      actor,
      drafts.filter((draft) => draft !== wanted),
    ),
  };
}

/**
 * Stores `content` as the actor's draft under this key, replacing the earlier one. 404 if its form or a client whom it
 * is about is not there for the actor, 413 if it is too large.
 */
export async function putDraft(actor: SessionUser, key: string, input: DraftInput): Promise<DraftSummary> {
  const { formId, content } = input;
  const text = JSON.stringify(content);
  if (Buffer.byteLength(text) > DRAFT_BYTES)
    throw new AppError("too_large", "The draft is larger than 256 KB.");
  if (formId !== null) {
    const form = await db().form.findFirst({
      where: { id: formId, client: { purged: false }, ...visibleForms(actor) },
      select: { id: true },
    });
    if (!form) {
      await auditRefused(actor, "form", [formId]);
      throw notFound();
    }
  }
  const { name, ciphertext } = sealedFor(actor, key, text);
  const { values, bind } = binding(actor.userId, key, formId, name, ciphertext, clientIdsIn(content));
  // A form that was open while its client was purged would bring the person's words back. A purge under way holds the
  // client's row, so that this waits for it. A client who is not there is refused to everybody: if only those from whom
  // clients are hidden were refused, they would learn that there are such clients.
  const kept = await rows<Row>(
    `WITH named AS (
       SELECT coalesce((SELECT client_id FROM ${MERGED_INTO} AS links WHERE merged_id = given.id), given.id) AS id
       FROM unnest($6::int[]) AS given (id)
       UNION SELECT client_id FROM forms WHERE id = $3),
     there AS MATERIALIZED (SELECT id FROM clients c
       WHERE id = ANY(ARRAY(SELECT id FROM named)) AND ${visibleClientsWhere(actor, bind)} ORDER BY id FOR KEY SHARE)
     INSERT INTO drafts (user_id, key, form_id, name, ciphertext)
       SELECT $1::int, $2, $3::int, $4::bytea, $5::bytea
       WHERE NOT EXISTS (SELECT FROM named WHERE id NOT IN (SELECT id FROM there))
     ON CONFLICT (user_id, key) DO UPDATE SET form_id = excluded.form_id, name = excluded.name,
       ciphertext = excluded.ciphertext, updated_at = now()
     RETURNING ${SUMMARY}`,
    values,
  );
  const [summary] = await summaries(actor, kept);
  if (!summary) throw notFound();
  await sweep(actor);
  return summary;
}

/** Deletes the actor's draft under this key as part of a larger SQL statement, if the part `of` has a row. */
export function removeDraftPart(statement: Statement, actor: SessionUser, key: string, of: string): void {
  const condition = `user_id = ${statement.bind(actor.userId)} AND key = ${statement.bind(key)}`;
  statement.with(`DELETE FROM drafts USING ${of} WHERE ${condition}`);
}

/** Deletes the actor's draft under this key, if there is one. */
export async function removeDraft(actor: SessionUser, key: string): Promise<void> {
  await rows("DELETE FROM drafts WHERE user_id = $1 AND key = $2", [actor.userId, key]);
}

/** Deletes expired drafts of all users, and the actor's oldest beyond the number that is kept. */
async function sweep(actor: SessionUser): Promise<void> {
  await removeOldDrafts();
  await rows(
    `DELETE FROM drafts WHERE id IN (
       SELECT id FROM drafts WHERE user_id = $1 ORDER BY updated_at DESC, id DESC OFFSET ${KEPT})`,
    [actor.userId],
  );
}

/** Encrypts all users' drafts again that stand under AUTH_SECRET_PREVIOUS; how many they were. */
export async function renewDrafts(): Promise<number> {
  const [, previous] = sealHeaders();
  if (!previous) return 0;
  let count = 0;
  for (let after = 0; ; ) {
    const found = await rows<{ id: number; userId: number; key: string; ciphertext: Buffer }>(
      `SELECT id, user_id AS "userId", key, ciphertext FROM drafts
       WHERE id > $1 AND substring(ciphertext FOR ${HEADER_BYTES}) = $2 ORDER BY id LIMIT 100`,
      [after, previous],
    );
    for (const { id, key, ciphertext, ...owner } of found) {
      after = id;
      const text = unseal(ciphertext, contextOf(owner, key));
      if (text === null) continue;
      const renewed = sealedFor(owner, key, text);
      // Unless somebody has stored it anew meanwhile. It is as old as before.
      const done = await rows(
        "UPDATE drafts SET name = $1, ciphertext = $2 WHERE id = $3 AND ciphertext = $4 RETURNING id",
        [renewed.name, renewed.ciphertext, id, ciphertext],
      );
      count += done.length;
    }
    if (found.length === 0) return count;
  }
}

/** Deletes expired drafts of all users. */
export async function removeOldDrafts(): Promise<void> {
  await rows(`DELETE FROM drafts WHERE NOT (${LIVES})`);
}

/** More than a statement may last: a draft is seen by others at most so long after its time. */
const SEEN_WITHIN = "10 seconds";

/** The ids of all users' drafts by the client they are about, complete for those stored up to `until`. */
export type DraftsByClient = { until: string; ids: Map<number, number[]> };

/**
 * Reads all users' drafts that were stored after `since`. Which client they are about stands in what is encrypted; those
 * that AUTH_SECRET no longer opens are about nobody known, and expire by themselves.
 */
export async function readDraftsByClient(query: Query = rows, since = "-infinity"): Promise<DraftsByClient> {
  const [moment] = await query<{ until: string }>(
    `SELECT (clock_timestamp() - interval '${SEEN_WITHIN}')::text AS until`,
  );
  const ids = new Map<number, number[]>();
  for (let after = 0; ; ) {
    const drafts = await query<{ id: number; userId: number; key: string; ciphertext: Uint8Array }>(
      `SELECT id, user_id AS "userId", key, ciphertext FROM drafts
       WHERE id > $1 AND updated_at > $2::text::timestamptz ORDER BY id LIMIT 50`,
      [after, since],
    );
    for (const { id, key, ciphertext, ...owner } of drafts) {
      after = id;
      const text = unseal(ciphertext, contextOf(owner, key));
      for (const clientId of text === null ? [] : clientIdsIn(JSON.parse(text)))
        ids.set(clientId, [...(ids.get(clientId) ?? []), id]);
    }
    if (drafts.length === 0) return { until: moment?.until ?? since, ids };
  }
}

/**
 * Deletes the drafts of all users that are about this client, whose row the caller has locked, or about one who was
 * merged into it: those known of before, and those stored since, which alone are read.
 */
export async function removeDraftsAbout(
  query: Query,
  clientId: number,
  known: DraftsByClient,
): Promise<void> {
  const since = await readDraftsByClient(query, known.until);
  const clientIds = [clientId, ...(await formerIds(query, clientId))];
  const draftsIn = ({ ids }: DraftsByClient) => clientIds.flatMap((id) => ids.get(id) ?? []);
  await query(
    `DELETE FROM drafts WHERE form_id IN (SELECT id FROM forms WHERE client_id = $1)
       OR id = ANY($2::int[]) AND updated_at <= $3::text::timestamptz OR id = ANY($4::int[])`,
    [clientId, draftsIn(known), known.until, draftsIn(since)],
  );
}

/**
 * Gives a user's drafts to a colleague and answers how many went: those of new forms, and those of forms that are the
 * colleague's or that the colleague sees. A draft whose key the colleague has too stays, and so does one about a client
 * who is `hidden`.
 */
export async function handOverDrafts(
  tx: Tx,
  actor: SessionUser,
  fromUserId: number,
  toUserId: number,
  hidden: Hiding,
): Promise<number> {
  assertAllowed(actor, "users");
  const seesAll = await tx.user.count({
    where: {
      id: toUserId,
      role: { permissions: { some: { permission: { name: "All Forms" } } } },
    },
  });
  const drafts = await tx.draft.findMany({
    where: {
      userId: fromUserId,
      ...(hidden.hiddenClients.length > 0 && {
        NOT: { form: { is: { clientId: { in: [...hidden.hiddenClients] } } } },
      }),
      ...(seesAll === 0 && { OR: [{ formId: null }, { form: { userId: toUserId } }] }),
    },
  });
  const from = { userId: fromUserId };
  const taken = await tx.draft.findMany({
    where: { userId: toUserId, key: { in: drafts.map(({ key }) => key) } },
    select: { key: true },
  });
  let count = 0;
  for (const { id, key, ciphertext } of drafts) {
    const text = unseal(ciphertext, contextOf(from, key));
    if (text === null || taken.some((other) => other.key === key)) continue;
    if (isAboutHidden(hidden, from, { key, ciphertext })) continue;
    await tx.draft.update({
      where: { id },
      data: { userId: toUserId, ...sealedFor({ userId: toUserId }, key, text) },
    });
    const changes = [{ field: "draft.userId", from: fromUserId, to: toUserId }];
    await audit(queryIn(tx), actor, { action: "updated", entity: "draft", entityId: id, changes });
    count += 1;
  }
  return count;
}
