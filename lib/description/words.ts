import { type Access, PERMISSION_NAMES, permissionKey } from "@/lib/core/access/permissions";
import type { ErrorCode } from "@/lib/core/api/codes";
import type { Endpoint } from "@/lib/core/api/endpoint";
import { capitalize } from "@/lib/core/fields/format";
import { singular } from "@/lib/core/fields/tables";
import type { NamedEndpoint } from "@/lib/endpoints";

// The API's description in plain words.

/** The rooms of the API, as the description groups its calls, in this order. */
export const ROOM_WORDS: Record<NamedEndpoint["room"], [title: string, about: string]> = {
  auth: ["Sign-in and sessions", "Who is calling, and where else they are signed in."],
  accounts: ["Accounts", "One's own profile, and the links that are mailed to set a password."],
  tokens: ["Tokens for programs", "What programs call the API with, in the name of their owner."],
  clients: ["Clients", "Survivors and their significant others."],
  merges: ["Merges", "Making one of two records of the same client, and undoing that."],
  forms: ["Forms", "What advocates record of a service."],
  drafts: ["Drafts", "Forms that have been begun and not saved, each its author's alone."],
  review: ["Review", "Reconciling forms, and returning them with a comment."],
  periods: ["Closed periods", "Through which day forms no longer change."],
  restrictions: ["Restrictions", "Clients of whom named people on the staff must not know."],
  retention: ["Retention", "Who is due to be removed, who is held back from it by law, and what is purged."],
  reports: ["Reports", "The funders' reports, what stands behind their numbers, and minutes by day."],
  imports: ["Import", "Records that come from files, and what became of each row."],
  archive: ["Archive", "All data at once."],
  history: ["History", "Who did and saw what."],
  lookups: ["Settings", "The lists that forms choose from, users and roles."],
  description: ["Description", "The API as a document."],
  server: ["Server", "How the program itself is."],
};

export const CODE_WORDS: Record<ErrorCode, string> = {
  malformed: "The body is no JSON, or is nested too deeply.",
  unauthorized: "Nobody is signed in, or the token is unknown, has ended or is used from elsewhere.",
  bad_credentials: "The email or password is wrong.",
  code_needed: "The code of two-step sign-in is missing or wrong.",
  forbidden: "The caller lacks the permission, or the request came from another site.",
  proof_needed: "The session showed its password too long ago: POST /api/session/proof. A token cannot.",
  two_step_required: "The role demands two-step sign-in, which is not set up.",
  not_found: "There is no such record, or none that the caller may see.",
  method: "The path knows other methods; they are in the header Allow.",
  conflict_version: "The record was changed since it was read.",
  conflict_in_use: "Other records point to it, or a legal hold stands on the client.",
  conflict_busy: "The same is being done at this moment. Try again.",
  period_closed: "The form is of a closed period.",
  too_large: "The body is larger than 1 MB, or a file than 100 MB.",
  not_json: "The body does not come as application/json.",
  misdirected: "The request names another host than the program's.",
  invalid: "Values are not valid; `fields` names each by its path.",
  too_many: "Too many attempts; the header Retry-After says for how many seconds.",
  failed: "Something went wrong in the program.",
  unavailable: "The database does not answer or cannot write. Try again.",
  too_slow: "The list takes too long to read. Narrow it.",
};

const pascal = (name: string) => name.split("_").map(capitalize).join("");

/** A name for the call in generated programs: `listForms`, `createAgeBracket`, `listCanineChoices`. */
export function operationId({ name, key }: Pick<NamedEndpoint, "name" | "key">): string {
  if (!key) return name;
  const [list = "", format] = key.split(".");
  if (format) return name.replace("Lookup", pascal(list)) + capitalize(format);
  if (name === "listResource") return `list${pascal(singular(key))}Choices`;
  const verb = name.replace("Lookup", "");
  return verb + pascal(verb === "list" ? key : singular(key));
}

/** `listCanineChoices` → `List canine choices` */
export const summaryOf = (id: string): string =>
  capitalize(id.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));

const permissionName = (key: string) => PERMISSION_NAMES.find((name) => permissionKey(name) === key) ?? key;

/** Who may call, as a sentence. */
function whoMay(permission: Access, also?: Endpoint["also"]): string {
  if (permission === "guest") return "Anyone may call, signed in or not.";
  if (permission === "signed-in") return "Anyone who is signed in may call.";
  const needed = [permission].flat().map(permissionName).join(" or ");
  const besides = [also ?? []].flat().map(permissionName);
  return `Needs the permission ${needed}${besides.length > 0 ? `, and ${besides.join(", ")}` : ""}.`;
}

/** All that is to be known of a call beside its schemas. */
export function wordsOf({ permission, also, proof, tokens, audit, about }: Endpoint): string[] {
  const actions = audit && [audit.action].flat().join(" or ");
  return [
    ...(about ? [about] : []),
    whoMay(permission, also),
    ...(proof ? ["Needs that the session showed its password recently; a token never has."] : []),
    ...(tokens === false && permission !== "guest" ? ["For people: a token is answered 403."] : []),
    ...(audit ? [`Recorded in the audit trail: ${actions} ${audit.entity}.`] : []),
  ];
}
