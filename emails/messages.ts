import { oneLine } from "@/lib/core/fields/validation";
import { escapeHtml } from "@/lib/core/text/html";
import { INVITATION_DAYS } from "@/lib/identity/invitation";

/** A message without its address. It never contains client data, and its subject nothing personal. */
export type Message = { subject: string; text: string; html: string };

/** The sender: the organization's name, its help line, and the look of the message. */
export type Sender = {
  organization: string;
  help?: string;
  /** Replaces the product's colors. Text in one must be readable on the other. */
  colors?: { accent: string; onAccent: string };
  /** The URL of the logo within the message. */
  logo?: string;
};

type MessageData = Sender & { firstName: string; link: string };

/** To a new user, with the link that activates the account. */
export const activationMessage = (data: MessageData): Message =>
  invitation(data, {
    subject: `Activate your ${data.organization} account`,
    action: "Activate your account",
    how: `The link works for ${INVITATION_DAYS} days or until you set your password.`,
  });

/** To a new user without a password (single sign-on), with a link to the login page. */
export const welcomeMessage = (data: MessageData): Message =>
  invitation(data, {
    subject: `Your ${data.organization} account`,
    action: "Sign in",
    how: "Sign in as you do elsewhere in your organization, with this email address.",
  });

const invitation = (
  data: MessageData,
  { how, ...content }: { subject: string; action: string; how: string },
): Message =>
  letter(data, {
    ...content,
    lines: [`An account for the case records of ${data.organization} was created for you.`],
    closing: [how, "If you did not expect this email, please ignore it."],
  });

/** To an active user, with the link to set a new password. */
export const resetMessage = (data: MessageData): Message =>
  letter(data, {
    subject: `Reset your ${data.organization} password`,
    lines: [`Someone requested a new password for your account at ${data.organization}.`],
    action: "Set a new password",
    closing: [
      "The link works once and expires in 1 hour.",
      "If you did not request it, please ignore this email. Your password stays the same.",
    ],
  });

/** Returns a message that greets the user by name and contains one link. */
const letter = (
  { firstName, ...data }: MessageData,
  content: Pick<Content, "subject" | "lines" | "action" | "closing">,
): Message => message({ ...data, ...content, greeting: `Hello ${firstName},` });

/**
 * To the previous address of an account whose email changed. Notices have no link, so that people never learn to click
 * one.
 */
export const emailChangedMessage = (sender: Sender): Message =>
  notice(sender, "The email address of your account was changed", [
    `Your account at ${sender.organization} has a new email address.`,
  ]);

/** To an account whose password was changed. */
export const passwordChangedMessage = (sender: Sender): Message =>
  notice(sender, "The password of your account was changed", [
    `Your account at ${sender.organization} has a new password. All other sessions were signed out.`,
  ]);

/** To an account that now needs a code at sign-in. */
export const twoStepOnMessage = (sender: Sender): Message =>
  notice(sender, "Two-step sign-in was turned on", [
    `Signing in to your account at ${sender.organization} now requires a code from your authenticator app. All other sessions were signed out.`,
  ]);

/** To an account whose authenticator app changed. */
export const twoStepChangedMessage = (sender: Sender): Message =>
  notice(sender, "The authenticator app of your account was changed", [
    `The codes for your account at ${sender.organization} now come from a different authenticator app. All other sessions were signed out.`,
  ]);

/** To an account that no longer needs a code, regardless of who turned it off. */
export const twoStepOffMessage = (sender: Sender): Message =>
  notice(sender, "Two-step sign-in was turned off", [
    `Signing in to your account at ${sender.organization} now requires only your password. You can set up two-step sign-in again in your profile.`,
  ]);

/** To an active account that single sign-on opened for the first time. */
export const signOnMessage = (sender: Sender): Message =>
  notice(sender, "Your account was linked with single sign-on", [
    `Your account at ${sender.organization} was used with your organization's single sign-on for the first time. You can sign in that way from now on.`,
  ]);

const notice = (sender: Sender, subject: string, lines: string[]): Message =>
  message({
    ...sender,
    subject,
    greeting: "Hello,",
    lines,
    closing: ["If this was not you, please tell your administrator at once."],
  });

type Content = Sender & {
  subject: string;
  greeting: string;
  lines: string[];
  action?: string;
  link?: string;
  closing: string[];
};

// The light colors of app/globals.css: mail readers do not support custom properties.
const COLORS = {
  canvas: "#f4f6f8",
  surface: "#ffffff",
  ink: "#17212b",
  accent: "#0b6b64",
  onAccent: "#ffffff",
};

function message({ action = "", link, ...content }: Content): Message {
  // A name may have been stored before names were validated, and the organization's name comes from the operator.
  const organization = oneLine(content.organization);
  const subject = oneLine(content.subject);
  const opening = [content.greeting, ...content.lines].map(oneLine);
  const closing = [...content.closing, content.help ?? ""].filter(Boolean).map(oneLine);
  const { canvas, surface, ink, accent, onAccent } = { ...COLORS, ...content.colors };
  const logo = content.logo
    ? `<p style="margin:0;padding:16px 24px 0"><img src="${escapeHtml(content.logo)}" alt="" height="48"></p>\n`
    : "";
  const paragraphs = (texts: string[]) => texts.map((line) => `<p>${escapeHtml(line)}</p>`).join("\n");
  const button = link
    ? `<p><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;background:${accent};color:${onAccent};border-radius:8px;text-decoration:none">${escapeHtml(action)}</a></p>
<p style="font-size:14px">If the button does not work, copy this address into your browser:<br>
<span style="overflow-wrap:anywhere">${escapeHtml(link)}</span></p>
`
    : "";
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:${canvas};color:${ink};font:16px/1.5 system-ui,sans-serif">
<div style="max-width:32rem;margin:0 auto;background:${surface};border-radius:12px;overflow:hidden">
<p style="margin:0;padding:16px 24px;background:${accent};color:${onAccent};font-size:18px;font-weight:600">${escapeHtml(organization)}</p>
${logo}<div style="padding:8px 24px">
${paragraphs(opening)}
${button}${paragraphs(closing)}
</div>
</div>
</body>
</html>
`;
  const steps = link ? [`${action}: copy this address into your browser.\n${link}`] : [];
  const text = `${[organization, ...opening, ...steps, ...closing].join("\n\n")}\n`;
  return { subject, text, html };
}
