import type { Involvement } from "@/lib/clients/restrictions/schema";
import { joinWords, workWords } from "@/lib/clients/work";
import { counted } from "@/lib/core/text/format";

/** True if hiding the client takes work away from the user, or might. */
export const losesWork = ({ isAdvocate, forms, drafts }: Involvement): boolean =>
  isAdvocate || forms === null || forms > 0 || (drafts ?? 0) > 0;

/** True if there is something that a colleague could take over. */
export const hasWork = ({ isAdvocate, returned, drafts }: Involvement): boolean =>
  isAdvocate || (returned ?? 0) > 0 || (drafts ?? 0) > 0;

/** Describes the user's work for the client: `Avery Advocate is this client's advocate and has 3 forms.` */
export function involvementWords(name: string, { isAdvocate, forms, drafts }: Involvement): string {
  const unseen = "You cannot see colleagues' forms, so their forms for this client are not counted.";
  if (forms === null) return isAdvocate ? `${name} is this client's advocate. ${unseen}` : unseen;
  const counts = [
    ...(forms > 0 ? [counted(forms, "form")] : []),
    ...(drafts ? [counted(drafts, "draft")] : []),
  ];
  const has = `has ${joinWords(counts) || "no forms"}`;
  return isAdvocate ? `${name} is this client's advocate and ${has}.` : `${name} ${has} for this client.`;
}

/** Describes the effects of hiding the client from the user, one sentence each. */
export function hidingEffects(name: string, { forms, returned, drafts }: Involvement): string[] {
  const open = [...(returned ? ["returned forms"] : []), ...(drafts ? ["drafts"] : [])];
  return [
    `${name} cannot see this client or any of the client's forms, and is not notified.`,
    ...(forms === 0
      ? []
      : [`Saved forms keep their advocate. Only colleagues with All Forms can open them.`]),
    ...(open.length > 0 ? [`${name} can no longer finish ${joinWords(open)} for this client.`] : []),
    ...(drafts ? ["Drafts are deleted 7 days after their last change."] : []),
  ];
}

/** Describes the work that a colleague takes over. */
export function takeOverWords(successor: string, { isAdvocate, returned, drafts }: Involvement): string {
  const gets = workWords({ clients: 0, returned: returned ?? 0, drafts: drafts ?? 0 });
  const parts = [
    ...(isAdvocate ? ["becomes this client's advocate"] : []),
    ...(gets ? [`gets ${gets}`] : []),
  ];
  return `${successor} ${joinWords(parts)}.`;
}
