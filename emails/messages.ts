import { oneLine } from "@/lib/fields/validation";

/** A message without its address. No client data ever, and nothing personal in a subject. */
export type Message = { subject: string; text: string; html: string };

export type MessageData = { organisation: string; firstName: string; link: string };

/** To a new user: the link that activates the account. */
export const activationMessage = ({ organisation, firstName, link }: MessageData): Message =>
  message({
    subject: `Activate your ${organisation} account`,
    greeting: `Hello ${firstName},`,
    lines: [`An account for the case records of ${organisation} has been created for you.`],
    action: "Activate your account",
    link,
    closing: [
      "The link works for 7 days, until you have set your password.",
      "If you did not expect this message, please ignore it.",
    ],
  });

/** To an active user: the link that sets a new password. */
export const resetMessage = ({ organisation, firstName, link }: MessageData): Message =>
  message({
    subject: `Reset your ${organisation} password`,
    greeting: `Hello ${firstName},`,
    lines: [`A new password was asked for, for your account at ${organisation}.`],
    action: "Set a new password",
    link,
    closing: [
      "The link works once and for 1 hour.",
      "If you did not ask for it, please ignore this message: your password stays as it is.",
    ],
  });

type Content = {
  subject: string;
  greeting: string;
  lines: string[];
  action: string;
  link: string;
  closing: string[];
};

function message({ action, link, ...content }: Content): Message {
  // A name may have been stored before names were checked, and the organisation's is the operator's.
  const [subject, greeting] = [oneLine(content.subject), oneLine(content.greeting)];
  const [lines, closing] = [content.lines.map(oneLine), content.closing.map(oneLine)];
  const text = [greeting, ...lines, `${action}:\n${link}`, ...closing].join("\n\n");
  const paragraphs = (texts: string[]) => texts.map((line) => `<p>${escapeHtml(line)}</p>`).join("\n");
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f4f5f7;color:#1c2430;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:32rem;margin:0 auto;padding:24px;background:#ffffff;border-radius:12px">
${paragraphs([greeting, ...lines])}
<p><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;background:#1f5fbf;color:#ffffff;border-radius:8px;text-decoration:none">${escapeHtml(action)}</a></p>
<p style="font-size:14px">If the button does not work, copy this address into your browser:<br>
<span style="word-break:break-all">${escapeHtml(link)}</span></p>
${paragraphs(closing)}
</div>
</body>
</html>
`;
  return { subject, text: `${text}\n`, html };
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
