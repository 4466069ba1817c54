/** The number of days for which the link of an invitation works after its mail is sent. */
export const INVITATION_DAYS = 7;

/** The way in which this installation delivers invitations. */
export type InvitationDelivery = {
  /** False without a mail server: the program writes the mail to a folder and its link to the console. */
  isMailed: boolean;
  /** False if people use single sign-on, which needs no link. */
  hasLink: boolean;
};

/** Returns the sentence that explains, before a new user is saved, how the invitation is delivered. */
export const invitationNotice = ({ isMailed, hasLink }: InvitationDelivery): string =>
  (isMailed
    ? "When you save, an invitation is sent to the email address above."
    : "No mail server is set up here. When you save, the invitation is written to the server's console and mail folder. Send it to the user yourself.") +
  (hasLink ? ` Its link is valid for ${INVITATION_DAYS} days.` : "");

/** Returns the sentence that confirms how the invitation was delivered. */
export const invitationDone = (email: string, { isMailed, hasLink }: InvitationDelivery): string =>
  (isMailed
    ? `Invitation sent to ${email}`
    : `Invitation for ${email} written to the server's console and mail folder`) +
  (hasLink ? `, valid for ${INVITATION_DAYS} days` : "");
