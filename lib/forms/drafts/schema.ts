import * as z from "zod/mini";
import { BODY_MAX } from "@/lib/core/api/endpoint";
import { moment } from "@/lib/core/api/response";
import { anyDate, id, orBlank, requiredLongText } from "@/lib/core/fields/validation";
import { isRecord } from "@/lib/core/objects";
import { shortName } from "@/lib/core/text/format";

/** The most bytes of a draft: a form as large as a body may be, and the values from which it was changed. */
export const DRAFT_BYTES = 2 * BODY_MAX;

/** The screen's name for a draft, unique per user. Never personal data, because it appears in URLs. */
const draftKey = z
  .string()
  .check(z.regex(/^[\w-]{1,100}$/, { error: "must be 1 to 100 letters, digits, _, or -" }));
export const draftParams = z.object({ key: draftKey });

/** The body of `PUT /api/drafts/{key}`; `formId` is null for a form that is not saved yet. */
export const draftBody = z.object({
  draft: z.object({
    formId: orBlank(id(), null),
    content: z.record(z.string(), z.unknown()),
    /** The open page that sends it. Without it, the draft is stored unconditionally. */
    page: orBlank(
      z.object({
        /** The user who typed. */
        userId: id(),
        /** A random id. */
        id: draftKey,
        /** The version that the page has read or stored last; null if none. */
        updatedAt: z.nullable(moment),
      }),
      null,
    ),
  }),
});

export type DraftInput = z.output<typeof draftBody>["draft"];

/** A draft in the list. */
export const draftSummary = z.object({
  key: z.string(),
  formId: z.nullable(id()),
  /** The form's type and client (`Wilma E.`), as far as the draft has them. */
  formType: z.nullable(z.string()),
  client: z.nullable(z.string()),
  updatedAt: moment,
  /** The form that its owner has saved since, for the same client, type and date. */
  savedFormId: z.nullable(id()),
});
export type DraftSummary = z.output<typeof draftSummary>;

/** Anything else is null. */
const orNull = <Schema extends z.core.$ZodType>(schema: Schema) =>
  z.pipe(
    z.optional(z.unknown()),
    z.transform((value) => z.safeParse(schema, value).data ?? null),
  );

/**
 * The values that distinguish drafts in a list: the form type and the client's short name. The date, and the client by
 * id or by full name, find the form that was saved instead of the draft. The database gets these, so none is a day or a
 * text that it refuses.
 */
export const draftName = z.object({
  formTypeId: orNull(id()),
  client: orNull(z.string().check(z.maxLength(255))),
  serviceOn: orNull(anyDate()),
  clientId: orNull(id()),
  clientName: orNull(requiredLongText().check(z.maxLength(255))),
});
export type DraftName = z.output<typeof draftName>;

/** Returns the name of a draft, for content of any shape. */
export function nameOf(content: DraftInput["content"]): DraftName {
  const { client, clientId } = content;
  const form = isRecord(content.form) ? content.form : {};
  const name = isRecord(client) && typeof client.name === "string" ? client.name : "";
  return draftName.parse({
    formTypeId: form.formTypeId,
    client: shortName(name) || null,
    serviceOn: form.serviceOn,
    clientId,
    clientName: name.trim() || null,
  });
}

/** The paths of the client ids in a draft's content. */
const CLIENT_IDS = [["clientId"], ["client", "id"], ["form", "clientId"], ["base", "client", "id"]];

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce((inner, key) => (isRecord(inner) ? inner[key] : undefined), value);

/** Returns the ids of the clients that a draft's content is about. */
export const clientIdsIn = (content: DraftInput["content"]): number[] =>
  CLIENT_IDS.flatMap((path) => id().safeParse(valueAt(content, path)).data ?? []);

/** Returns the id of the stored client whose phone number is in a draft's content; null if there is none. */
export const phonedClientIn = (content: DraftInput["content"]): number | null =>
  valueAt(content, ["client", "clientBiographicalEntry", "phoneNumber"])
    ? (id().safeParse(content.clientId).data ?? null)
    : null;

/**
 * Returns the content with each merged client's id replaced by the id of the client that now has the record.
 */
export function withPresentClients(
  content: DraftInput["content"],
  currentIds: ReadonlyMap<number, number>,
): DraftInput["content"] {
  const present = structuredClone(content);
  for (const path of CLIENT_IDS) {
    const [key = ""] = path.slice(-1);
    const holder = valueAt(present, path.slice(0, -1));
    const into = currentIds.get(Number(valueAt(present, path)));
    if (into !== undefined && isRecord(holder)) holder[key] = into;
  }
  return present;
}

/** A draft with its content, as the screen stored it. */
export const draft = z.extend(draftSummary, { content: z.record(z.string(), z.unknown()) });
export type Draft = z.output<typeof draft>;
