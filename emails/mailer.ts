import "server-only";
import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import nodemailer from "nodemailer";
import type { Message } from "@/emails/messages";
import { branding, logo } from "@/lib/core/branding/branding";
import type { Logo } from "@/lib/core/branding/logo";
import { env } from "@/lib/core/process/env";

type Envelope = {
  to: { name: string; address: string };
  /** Identical in all attempts, so that mail servers and readers recognize a duplicate. */
  messageId: string;
  /** The link in the message, if any, for the console when no mail server is set. */
  link?: string;
};

/** The maximum time for one delivery. The worker's lease is longer. */
const SEND_SECONDS = 120;
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 15_000, socketTimeout: 45_000 };

/**
 * Sends one message through SMTP_URL, or writes it to a file if that is not set. Rejects if the message was not
 * accepted.
 */
export async function sendMail(envelope: Envelope, message: Message): Promise<void> {
  const { SMTP_URL } = env();
  if (!SMTP_URL) return writeMail(envelope, message);
  const late = new AbortController();
  try {
    await Promise.race([
      nodemailer.createTransport(withTimeouts(SMTP_URL)).sendMail(await mailOf(envelope, message)),
      sleep(SEND_SECONDS * 1000, undefined, { signal: late.signal }).then(() => {
        throw new Error("The mail server took too long.");
      }),
    ]);
  } finally {
    late.abort();
  }
}

/** The content id of the attached logo, used in the HTML of a message. */
export const LOGO_ID = "logo";

/** Returns the logo if mail readers can display its format, else null. */
export async function mailLogo(): Promise<Logo | null> {
  const image = await logo();
  return image?.type === "image/svg+xml" ? null : image;
}

/** nodemailer takes its options either from the URL or from an object, never from both. */
function withTimeouts(smtpUrl: string): string {
  const url = new URL(smtpUrl);
  for (const [name, milliseconds] of Object.entries(TIMEOUTS))
    url.searchParams.set(name, String(milliseconds));
  return url.href;
}

async function mailOf({ to, messageId }: Envelope, { subject, text, html }: Message) {
  const { MAIL_FROM, APP_URL } = env();
  const [image, { organization }] = await Promise.all([mailLogo(), branding()]);
  const { hostname } = new URL(APP_URL);
  return {
    from: MAIL_FROM ?? { name: organization, address: `no-reply@${hostname}` },
    to,
    subject,
    text,
    html,
    messageId: `<${messageId}@${hostname}>`,
    attachments: image ? [{ cid: LOGO_ID, contentType: image.type, content: image.bytes }] : [],
    // Asks vacation responders not to reply.
    headers: { "Auto-Submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

async function writeMail(envelope: Envelope, message: Message): Promise<void> {
  const transport = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: "unix" });
  const { message: bytes } = await transport.sendMail(await mailOf(envelope, message));
  const folder = path.resolve(env().DATA_DIR, "mail");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `${envelope.messageId}.eml`);
  // The file appears under its final name only when it is complete.
  await writeFile(`${file}.part`, bytes, { mode: 0o600 });
  await rename(`${file}.part`, file);
  console.log(`No SMTP_URL is set. Mail to ${envelope.to.address}: ${envelope.link ?? message.subject}`);
}
