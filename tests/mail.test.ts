import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  activationMessage,
  emailChangedMessage,
  passwordChangedMessage,
  resetMessage,
} from "@/emails/messages";
import { closeDatabase, db } from "@/lib/core/database/client";
import { inviteUser, sendPasswordReset } from "@/lib/identity/accounts";
import { deliverDueMail } from "@/lib/identity/mail/delivery";
import { claimMail, mailProblems } from "@/lib/identity/mail/queue";
import { freePort } from "@/lib/ops/embedded";
import { startWorker } from "@/lib/worker";
import { makeAccount, makeInvitedUser } from "@/tests/accounts-helpers";
import { actorFor, call } from "@/tests/call";
import { makeUser } from "@/tests/factories";
import { makeGate } from "@/tests/gate";
import { readMail, type SmtpServer, startSmtpServer } from "@/tests/mailbox";
import { takeLog } from "@/tests/setup/console";

const port = await freePort();
process.env.SMTP_URL = `smtp://127.0.0.1:${port}`;

// A server in another time zone must not delay mail by hours.
await db().$executeRawUnsafe(
  `ALTER DATABASE ${new URL(String(process.env.DATABASE_URL)).pathname.slice(1)} SET timezone = 'America/New_York'`,
);
await closeDatabase();

const actor = await actorFor(await makeUser(["users"]));

let smtp: SmtpServer | undefined;
const start = async (slow?: Promise<void>) => {
  smtp = await startSmtpServer(port, slow);
  return smtp;
};

beforeEach(async () => {
  await db().mail.deleteMany();
});
afterEach(async () => {
  await smtp?.close();
  smtp = undefined;
});

/**
 * Creates a user whose address controls how the mail server treats their mail, with a queued activation mail.
 */
async function createInvitedUser(mailbox: string) {
  const user = await makeInvitedUser();
  const email = `${mailbox}-${user.email}`;
  await db().user.update({ where: { id: user.id }, data: { email } });
  await db().$transaction((tx) => inviteUser(tx, user));
  return { ...user, email };
}

const makeDue = () => db().$executeRaw`UPDATE mails SET next_attempt_at = now() WHERE sent_at IS NULL`;
const mailOf = ({ id }: { id: number }) => db().mail.findFirst({ where: { token: { userId: id } } });
const nextAttempt = async (user: { id: number }) => Number((await mailOf(user))?.nextAttemptAt);

it("mail arrives as plain text and HTML with one link, from MAIL_FROM", async () => {
  const { accepted } = await start();
  const user = await createInvitedUser("ok");
  await deliverDueMail();
  await deliverDueMail();
  expect(accepted).toHaveLength(1);
  const { source = "", to } = accepted[0] ?? {};
  expect(to).toBe(user.email);
  expect(source).toMatch(/^From: "?Victim Services"? <no-reply@localhost>/m);
  expect(source).toMatch(/^Subject: Activate your Victim Services account/m);
  expect(source).toMatch(/^Message-ID: <[\w-]{36}@localhost>/m);
  expect(source).toContain("Content-Type: text/plain; charset=utf-8");
  expect(source).toContain("Content-Type: text/html; charset=utf-8");
  const { token } = readMail(source);
  expect((await call(null, "GET", `/api/account/${token}/activate`)).status).toBe(200);
});

it("mail has no names in its subject and escapes HTML in them", () => {
  const data = {
    organization: "A & B",
    firstName: "<b>Sam</b>",
    link: "http://localhost/account/x/activate",
  };
  for (const message of [activationMessage(data), resetMessage(data)]) {
    expect(message.subject).not.toContain("Sam");
    expect(message.text).toContain("Hello <b>Sam</b>,");
    expect(message.text).toContain(data.link);
    expect(message.html).toContain("Hello &lt;b&gt;Sam&lt;/b&gt;,");
    expect(message.html).toContain(`href="${data.link}"`);
  }
});

it("mail has the same content in plain text as in HTML, under the organization's name in the product's color", async () => {
  const data = {
    organization: "Harbor House",
    firstName: "Sam",
    link: "http://localhost/account/x/activate",
  };
  const styles = await readFile("app/globals.css", "utf8");
  const accent = /--accent: light-dark\((#\w{6}),/.exec(styles)?.[1] ?? "no accent";
  for (const { text, html } of [activationMessage(data), resetMessage(data)]) {
    const [, heading] = new RegExp(`<p style="[^"]*background:${accent}[^"]*">([^<]*)</p>`).exec(html) ?? [];
    expect(heading).toBe(data.organization);
    expect(html).toMatch(new RegExp(`<a href="${data.link}" style="[^"]*background:${accent}`));

    const htmlLines = html
      .replace(/<head>.*<\/head>/s, "")
      .replace(/<[^>]+>/g, "\n")
      .split("\n");
    const textLines = htmlLines
      .map((line) => line.trim())
      .filter((line) => line && !/^If the button/.test(line));
    expect(textLines.length).toBeGreaterThan(5);
    for (const line of textLines) expect(text).toContain(line);
    expect(text.split("\n")[0]).toBe(data.organization);
  }
});

it("a notice has no link, and the same content in plain text as in HTML", () => {
  for (const message of [emailChangedMessage, passwordChangedMessage]) {
    const { text, html, subject } = message({ organization: "Harbor House" });
    expect(subject).toMatch(/^The (email address|password) of your account was changed$/);
    for (const body of [text, html]) {
      expect(body).toContain("Your account at Harbor House has");
      expect(body).toContain("If this was not you, please tell your administrator at once.");
      expect(body).not.toMatch(/https?:|href/);
    }
  }
});

it("mail shows a name as one line, even if it was stored before names were validated", () => {
  const data = {
    organization: "Victim\u200b Services",
    firstName: "Sam\n\nClick\u202e here\ufeff",
    link: "http://localhost/account/x/activate",
  };
  for (const { subject, text, html } of [activationMessage(data), resetMessage(data)]) {
    expect(subject).toContain("Victim Services");
    for (const body of [text, html]) expect(body).toContain("Hello SamClick here,");
  }
});

it("mail is queued by the transaction that causes it, or not at all", async () => {
  const user = await makeAccount();
  const failure = db().$transaction(async (tx) => {
    await sendPasswordReset(tx, user);
    throw new Error("rolled back");
  });
  await expect(failure).rejects.toThrow("rolled back");
  expect(await mailOf(user)).toBeNull();
});

it("mail waits for a server that is down, with growing pauses, and none is lost", async () => {
  const user = await createInvitedUser("ok");
  for (const seconds of [15, 30, 60, 120]) {
    await makeDue();
    const begin = Date.now();
    await deliverDueMail();
    const end = Date.now();
    const next = await nextAttempt(user);
    expect(next).toBeGreaterThanOrEqual(begin + seconds * 1000);
    expect(next).toBeLessThanOrEqual(end + seconds * 1000);
  }
  const problems = await mailProblems(actor);
  expect(problems).toEqual([
    expect.objectContaining({
      userId: user.id,
      name: `${user.firstName} ${user.lastName}`,
      gaveUp: false,
      reason: expect.stringMatching(/ECONNREFUSED/),
    }),
  ]);
  const logged = takeLog();
  const tries = logged.filter(({ message }) => message === "Mail will be tried again");
  expect(tries.map(({ level }) => level)).toEqual(["warn", "warn", "warn", "warn"]);
  expect(JSON.stringify(logged)).not.toContain(user.email);

  const { accepted } = await start();
  await makeDue();
  await deliverDueMail();
  expect(accepted.map(({ to }) => to)).toEqual([user.email]);
  expect(await mailProblems(actor)).toEqual([]);
});

it("mail is retried when it is refused, without delaying other mail", async () => {
  const { accepted } = await start();
  const refused = await createInvitedUser("refused");
  const ok = await createInvitedUser("ok");
  await deliverDueMail();
  expect(accepted.map(({ to }) => to)).toEqual([ok.email]);
  expect(await mailOf(refused)).toMatchObject({ attempts: 1, sentAt: null, failedAt: null });
  expect((await mailProblems(actor))[0]?.reason).toContain("No such mailbox");
});

it("mail is sent once to a slow server", async () => {
  const slow = makeGate();
  const { accepted } = await start(slow.opened);
  const user = await createInvitedUser("slow");
  const delivery = deliverDueMail();
  await expect.poll(async () => (await mailOf(user))?.attempts).toBe(1);
  await deliverDueMail();
  slow.open();
  await delivery;
  expect(accepted.map(({ to }) => to)).toEqual([user.email]);
  expect((await mailOf(user))?.attempts).toBe(1);
});

it("mail is sent again with the same Message-ID and link if the connection drops after DATA", async () => {
  const { accepted } = await start();
  await createInvitedUser("dropped");
  await deliverDueMail();
  await makeDue();
  await deliverDueMail();
  await makeDue();
  await deliverDueMail();
  expect(accepted).toHaveLength(2);
  const [first, second] = accepted.map(({ source }) => ({
    messageId: /^Message-ID: .*$/m.exec(source)?.[0],
    token: readMail(source).token,
  }));
  expect(first).toEqual(second);
  expect((await call(null, "GET", `/api/account/${second?.token}/activate`)).status).toBe(200);
});

it("mail is given up after 48 hours, which administrators see until a newer one is sent", async () => {
  const user = await createInvitedUser("refused");
  await start();
  await deliverDueMail();
  await db().$executeRaw`UPDATE mails SET created_at = now() - interval '48 hours'`;
  await makeDue();
  await deliverDueMail();
  expect(await mailProblems(actor)).toEqual([expect.objectContaining({ userId: user.id, gaveUp: true })]);
  await makeDue();
  await deliverDueMail();
  expect((await mailOf(user))?.attempts).toBe(2);
  await db().$transaction((tx) => sendPasswordReset(tx, user));
  expect(await mailProblems(actor)).toEqual([]);
});

it("mail becomes due again when the process that claimed it died", async () => {
  const { accepted } = await start();
  const user = await createInvitedUser("ok");
  expect(await claimMail()).toMatchObject({ email: user.email });
  await deliverDueMail();
  expect(accepted).toEqual([]);
  expect(await nextAttempt(user)).toBeGreaterThan(Date.now() + 120_000);
  await makeDue();
  await deliverDueMail();
  expect(accepted).toHaveLength(1);
});

it("mail is not sent if a newer link has replaced its own, or to a deleted account", async () => {
  const { accepted } = await start();
  const user = await createInvitedUser("ok");
  const gone = await createInvitedUser("ok");
  await db().$transaction((tx) => inviteUser(tx, user));
  await db().user.delete({ where: { id: gone.id } });
  await deliverDueMail();
  expect(accepted.map(({ to }) => to)).toEqual([user.email]);
  expect(await db().mail.count()).toBe(1);
});

it("mail is sent to the account's current address", async () => {
  const { accepted } = await start();
  const user = await createInvitedUser("ok");
  await db().user.update({ where: { id: user.id }, data: { email: `new-${user.email}` } });
  await deliverDueMail();
  expect(accepted.map(({ to }) => to)).toEqual([`new-${user.email}`]);
});

it("mail is sent by a worker in the server, which stops on request", async () => {
  const { accepted } = await start();
  const stop = startWorker();
  const user = await createInvitedUser("ok");
  await expect.poll(() => accepted.map(({ to }) => to)).toEqual([user.email]);
  await stop();
});

it("mail is sent once by two processes that work on the same 100 messages", async () => {
  const { accepted } = await start();
  const users = [];
  for (let n = 0; n < 100; n++) users.push(await createInvitedUser("ok"));
  const senders = [1, 2].map(() =>
    spawn(process.execPath, ["--import", "./lib/ops/tsx.mjs", "tests/mail-sender.ts"], {
      stdio: ["pipe", "pipe", "inherit"],
    }),
  );
  try {
    await Promise.all(senders.map(({ stdout }) => once(stdout, "data")));
    for (const { stdin } of senders) stdin.write("begin");
    await expect.poll(() => db().mail.count({ where: { sentAt: null } })).toBe(0);
  } finally {
    await Promise.all(senders.map((sender) => sender.kill("SIGTERM") && once(sender, "exit")));
  }
  expect(accepted.map(({ to }) => to).sort()).toEqual(users.map(({ email }) => email).sort());
});

it("mail that waits for a slow server delays neither reset requests nor the cleanup", async () => {
  const slow = makeGate();
  const { accepted } = await start(slow.opened);
  const user = await makeAccount();
  for (let n = 0; n < 10; n++) await createInvitedUser("slow");
  await db().draft.create({ data: { userId: user.id, key: "old", ciphertext: Buffer.from("x") } });
  await db().idempotencyKey.create({ data: { userId: user.id, key: "old", bodyHash: "", recordId: 1 } });
  await db().$executeRaw`UPDATE drafts SET updated_at = now() - interval '8 days'`;
  await db().$executeRaw`UPDATE idempotency_keys SET created_at = now() - interval '25 hours'`;
  const stop = startWorker();
  await expect.poll(() => db().mail.count({ where: { attempts: 1 } })).toBe(4);
  await db().resetRequest.create({ data: { email: user.email } });
  await expect.poll(() => db().resetRequest.count()).toBe(0);
  await expect
    .poll(async () => [await db().draft.count(), await db().idempotencyKey.count()])
    .toEqual([0, 0]);
  expect(accepted).toEqual([]);
  slow.open();
  await expect.poll(() => accepted.length).toBe(11);
  await stop();
});
