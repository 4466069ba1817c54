import "server-only";
import type { SessionUser } from "@/lib/core/access/permissions";
import { assertAllowed } from "@/lib/core/access/scope";
import { rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/sql";
import { mailedToken, TOKEN_HOURS, type TokenKind, tokenHash } from "@/lib/identity/mail/link-token";
import type { MailProblem, NoticeKind } from "@/lib/identity/schema";

// The mail queue. A claim is a lease: if the process that holds it dies, the mail becomes due again.

/** Longer than the longest attempt to send. */
const LEASE_SECONDS = 300;
const FIRST_PAUSE_SECONDS = 15;
const LONGEST_PAUSE_SECONDS = 3600;
const GIVE_UP_HOURS = 48;
const RETENTION_DAYS = 30;

type Recipient = { firstName: string; lastName: string; email: string };
export type DueMail = { id: number; messageId: string } & (
  | ({ kind: TokenKind; token: string } & Recipient)
  | { kind: "notice"; notice: NoticeKind; email: string }
);

type Claimed = { id: number; message_id: string } & (
  | { token_id: number; notice: null; address: null }
  | { token_id: null; notice: NoticeKind; address: string }
);

/** Claims the mail that has been due longest, so that no other process sends it. Returns null if none is due. */
export async function claimMail(): Promise<DueMail | null> {
  for (;;) {
    const [claimed] = await rows<Claimed>(
      sql`UPDATE mails SET attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => ${LEASE_SECONDS})
       WHERE id = (
         SELECT id FROM mails WHERE sent_at IS NULL AND failed_at IS NULL AND next_attempt_at <= now()
         ORDER BY next_attempt_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING id, token_id, message_id, notice, address::text`,
    );
    if (!claimed) return null;
    const { id, message_id: messageId, token_id, notice, address } = claimed;
    if (token_id === null) return { id, messageId, kind: "notice", notice, email: address };
    const token = mailedToken(messageId);
    const recipient = await startToken(token_id, token);
    if (recipient) return { id, messageId, token, ...recipient };
    // A newer link has replaced the one in this mail, so there is nothing to send.
    await rows(sql`DELETE FROM mails WHERE id = ${id}`);
  }
}

/** Starts the lifetime of a link when it is sent, not when it is queued. The mail may have waited longer than that. */
async function startToken(tokenId: number, token: string) {
  const [recipient] = await rows<Recipient & { kind: TokenKind }>(
    sql`UPDATE tokens t SET token_hash = ${tokenHash(token)},
       expires_at = now() + make_interval(hours => CASE t.kind WHEN 'activation' THEN ${TOKEN_HOURS.activation}::int
         ELSE ${TOKEN_HOURS.reset}::int END)
     FROM users u WHERE t.id = ${tokenId} AND t.used_at IS NULL AND u.id = t.user_id
     RETURNING t.kind, u.email::text, u.first_name AS "firstName", u.last_name AS "lastName"`,
  );
  return recipient;
}

/** Returns the number of mails that wait to be sent. */
export async function countWaitingMail(): Promise<number> {
  const [row] = await rows<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM mails WHERE sent_at IS NULL AND failed_at IS NULL`,
  );
  return row?.count ?? 0;
}

export async function mailSent(id: number): Promise<void> {
  await rows(sql`UPDATE mails SET sent_at = now(), last_error = '' WHERE id = ${id}`);
}

/** Postpones a mail after a failed attempt and doubles the delay each time. True if it was given up instead. */
export async function mailFailed(id: number, reason: string): Promise<boolean> {
  const [mail] = await rows<{ failed_at: Date | null }>(
    sql`UPDATE mails SET last_error = ${reason.replaceAll("\0", "").slice(0, 255)},
       next_attempt_at = now() + make_interval(secs => 
         least(${FIRST_PAUSE_SECONDS} * 2.0 ^ (attempts - 1), ${LONGEST_PAUSE_SECONDS})),
       failed_at = CASE WHEN created_at < now() - make_interval(hours => ${GIVE_UP_HOURS}) THEN now() END
     WHERE id = ${id} RETURNING failed_at`,
  );
  return Boolean(mail?.failed_at);
}

/** Returns the mails that could not be delivered so far, oldest first, except those replaced by a newer one. */
export async function mailProblems(actor: SessionUser): Promise<MailProblem[]> {
  assertAllowed(actor, "users");
  const mails = await rows<Omit<MailProblem, "queuedAt"> & { at: Date }>(
    sql`SELECT t.user_id AS "userId", COALESCE(u.first_name || ' ' || u.last_name, m.address::text) AS name, m.created_at AS at,
       m.failed_at IS NOT NULL AS "gaveUp", m.last_error AS reason
     FROM mails m LEFT JOIN tokens t ON t.id = m.token_id LEFT JOIN users u ON u.id = t.user_id
     WHERE m.sent_at IS NULL AND m.last_error <> '' AND t.used_at IS NULL ORDER BY m.id`,
  );
  return mails.map(({ at, ...problem }) => ({ ...problem, queuedAt: at.toISOString() }));
}

/** Deletes notices, and used or expired tokens with their mails, one month after their creation. */
export async function removeOldTokens(): Promise<void> {
  await rows(
    sql`DELETE FROM mails WHERE token_id IS NULL AND created_at < now() - make_interval(days => ${RETENTION_DAYS})`,
  );
  await rows(
    sql`DELETE FROM tokens WHERE created_at < now() - make_interval(days => ${RETENTION_DAYS})
       AND (used_at IS NOT NULL OR expires_at < now())`,
  );
}
