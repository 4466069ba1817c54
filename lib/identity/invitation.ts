/** How many days the link of an invitation works, counted from when its mail is sent. */
export const INVITATION_DAYS = 7;

/** How this installation delivers invitations. */
export type InvitationDelivery = {
  /** False without a mail server: the mail is written to a folder and its link to the console. */
  isMailed: boolean;
  /** False if people sign in through the organization's own sign-in, which needs no link. */
  hasLink: boolean;
};

/** Says, before a new user is saved, what happens to the invitation. */
export const invitationNotice = ({ isMailed, hasLink }: InvitationDelivery): string =>
  (isMailed
    ? "When you save, an invitation is sent to the email address above."
    : "No mail server is set up here. When you save, the invitation is written to the server's console and mail folder. You then pass it on yourself.") +
  (hasLink ? ` Its link is valid for ${INVITATION_DAYS} days.` : "");

/** Says, after the fact, what happened to the invitation. */
export const invitationDone = (email: string, { isMailed, hasLink }: InvitationDelivery): string =>
  (isMailed
    ? `Invitation sent to ${email}`
    : `Invitation for ${email} written to the server's console and mail folder`) +
  (hasLink ? `, valid for ${INVITATION_DAYS} days` : "");
