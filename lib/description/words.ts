import { type Access, PERMISSION_NAMES, permissionKey } from "@/lib/core/access/permissions";
import type { Endpoint } from "@/lib/core/api/endpoint";
import type { ErrorCode } from "@/lib/core/errors";
import { singular } from "@/lib/core/fields/tables";
import { capitalize } from "@/lib/core/text/format";
import type { NamedEndpoint } from "@/lib/endpoints";

// The API's description in plain words.

/** The groups of calls in the description, in this order. */
export const GROUP_WORDS: Record<NamedEndpoint["group"], [title: string, about: string]> = {
  auth: ["Sign-in and sessions", "Sign-in, and the caller's other sessions."],
  accounts: ["Accounts", "The caller's own profile, and the mailed links that set a password."],
  tokens: ["Tokens for programs", "Tokens with which programs call the API for their owner."],
  clients: ["Clients", "Survivors and their significant others."],
  merges: ["Merges", "Merging two records of the same client, and undoing a merge."],
  contacts: ["Contacts", "Calls and visits from people who give no name."],
  groupRecords: ["Groups", "Groups and their sessions, which write a form for each person who came."],
  declaredRecords: ["Other records", "Working time that is no service to a client."],
  shelter: ["Shelter", "Stays of clients in shelters, and the open stays of each shelter."],
  forms: ["Forms", "Advocates' records of services."],
  drafts: ["Drafts", "Unsaved forms, visible only to their author."],
  review: ["Review", "Reconciling forms, and returning them with a comment."],
  fields: ["Fields", "The organization's custom fields for clients and forms."],
  periods: ["Closed periods", "The day through which forms can no longer change."],
  restrictions: ["Restrictions", "Clients that are hidden from particular users."],
  retention: ["Retention", "Clients due to be purged, legal holds, and purges."],
  reports: ["Reports", "The funders' reports, the records behind their numbers, and minutes by day."],
  imports: ["Import", "Records imported from files, with the result for each row."],
  archive: ["Archive", "An export of all data."],
  history: ["History", "The Audit Log and the histories of records."],
  organization: ["Organization", "The organization's name, logo, color, and help text."],
  lookups: ["Settings", "The lists that forms choose from, users, and roles."],
  description: ["Description", "The API as a document."],
  guide: ["Guide", "The guide for users."],
  server: ["Server", "The state of the server."],
};

export const CODE_WORDS: Record<ErrorCode, string> = {
  malformed: "The body is not JSON, or is nested too deeply.",
  unauthorized:
    "The caller is not signed in, or the token is unknown, has expired, or is used from another address.",
  bad_credentials: "The email or password is wrong.",
  code_needed: "The code of two-step sign-in is missing or wrong.",
  forbidden: "The caller lacks the permission, or the request came from another site.",
  proof_needed:
    "The last proof of identity is too old: POST /api/session/proof. Tokens cannot prove identity.",
  two_step_required: "The role requires two-step sign-in, which is not set up.",
  not_found: "There is no such record, or the caller may not see it.",
  method: "The path does not support this method; the Allow header lists the supported ones.",
  conflict_version: "The record was changed since it was read.",
  conflict_in_use:
    "Other records refer to it, forms have values in a part that the change takes away, or the client is on legal hold.",
  conflict_busy: "Another request is making a conflicting change. Try again.",
  period_closed: "The record belongs to a closed period.",
  too_large: "The body is larger than 1 MB, or a file is larger than 100 MB.",
  not_json: "The content type is not application/json.",
  misdirected: "The Host header names another server.",
  invalid: "Some values are invalid; `fields` lists them by path.",
  too_many: "Too many attempts; Retry-After has the number of seconds to wait.",
  failed: "Something went wrong in the server.",
  unavailable: "The database does not respond or cannot write. Try again.",
  too_slow: "The list takes too long to read. Narrow the request.",
};

const pascal = (name: string) => name.split("_").map(capitalize).join("");

/**
 * Returns a name for the call in generated programs: `listForms`, `createAgeBracket`, `listCanineChoices`,
 * `getActivityHistory`.
 */
export function operationId({ name, key }: Pick<NamedEndpoint, "name" | "key">): string {
  if (!key) return name;
  const [list = "", format] = key.split(".");
  if (format) return name.replace(/Lookup|Records/, pascal(list)) + capitalize(format);
  if (name === "listResource") return `list${pascal(singular(key))}Choices`;
  if (/Record/.test(name))
    return name.replace("Records", pascal(key)).replace("Record", pascal(singular(key)));
  const verb = name.replace("Lookup", "");
  return verb + pascal(verb === "list" ? key : singular(key));
}

/** `listCanineChoices` → `List canine choices` */
export const summaryOf = (id: string): string =>
  capitalize(id.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));

const permissionName = (key: string) => PERMISSION_NAMES.find((name) => permissionKey(name) === key) ?? key;

function accessSentence(
  permission: Access,
  additionalPermissions?: Endpoint["additionalPermissions"],
): string {
  if (permission === "guest") return "Open to everyone, signed in or not.";
  if (permission === "signed-in") return "Open to all signed-in users.";
  const needed = [permission].flat().map(permissionName).join(" or ");
  const additional = [additionalPermissions ?? []].flat().map(permissionName);
  return `Requires the permission ${needed}${additional.length > 0 ? `, and ${additional.join(", ")}` : ""}.`;
}

/** Returns everything about a call that its schemas do not show. */
export function wordsOf({
  permission,
  additionalPermissions,
  proof,
  tokens,
  audit,
  about,
}: Endpoint): string[] {
  const actions = audit && [audit.action].flat().join(" or ");
  return [
    ...(about ? [about] : []),
    accessSentence(permission, additionalPermissions),
    ...(proof ? ["Requires recent proof of identity, which a token cannot give."] : []),
    ...(tokens === false && permission !== "guest" ? ["For users only: a token gets 403."] : []),
    ...(audit
      ? [`Recorded in the Audit Log: ${actions} ${[...new Set([audit.entity].flat())].join(", ")}.`]
      : []),
  ];
}
