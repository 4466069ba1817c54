import * as z from "zod/mini";
import { ABOUT_HISTORY, history, historyQuery } from "@/lib/audit/schema";
import { fileQuery } from "@/lib/core/api/list-file";
import { idParams, listPage, type Meta } from "@/lib/core/api/list-query";
import type { ErrorCode } from "@/lib/core/errors";
import { listKey, type RecordDeclaration } from "@/lib/core/records/declaration";
import {
  createBody,
  type RecordItem,
  type RecordListQuery,
  recordQuery,
  recordResponse,
  updateBody,
} from "@/lib/declared-records/api-schema";

/** The parts of the calls of one kind that differ from its declaration. */
export type RecordDifferences = {
  about?: { list?: string; create?: string; update?: string };
  /** Keys besides the fields: in the body of `POST`, in the body of `PUT`, and in responses. */
  keys?: Partial<Record<"create" | "update" | "returned", z.core.$ZodShape>>;
  errors?: Partial<Record<"create" | "update" | "remove", readonly ErrorCode[]>>;
  query?: z.core.$ZodType<RecordListQuery>;
};

/** Returns what follows from a declaration for each call of its API, to be declared with `endpoint` and `listFile`. */
export function recordCalls(
  declaration: RecordDeclaration,
  { about = {}, keys = {}, errors = {}, query = recordQuery(declaration) }: RecordDifferences = {},
) {
  const { entity, plural, permission, seenBy, day } = declaration;
  const item = recordResponse(declaration, keys.returned);
  const one: z.core.$ZodType<Record<string, RecordItem>> = z.object({ [entity]: item });
  const many: z.core.$ZodType<Record<string, RecordItem[] | Meta>> = listPage(listKey(plural), item);
  const ofOwner = seenBy === "owner" ? "Without All Forms, callers see their own records." : undefined;
  const viewed = { entity, action: "viewed" } as const;
  return {
    list: {
      about: about.list ?? ofOwner,
      permission,
      query,
      response: many,
      audit: { entity, action: ["listed", "searched"] },
    },
    files: { permission, entity, query: fileQuery(query) },
    get: { permission, params: idParams, response: one, errors: ["not_found"], audit: viewed },
    create: {
      about: about.create ?? `\`${day}\` defaults to today.`,
      permission,
      keys: ["idempotencyKey"],
      body: createBody(declaration, keys.create),
      response: one,
      status: 201,
      errors: ["not_found", "period_closed", ...(errors.create ?? [])],
      audit: { entity, action: ["created", "viewed"] },
    },
    update: {
      about: about.update ?? "Omitted fields stay as they are.",
      permission,
      params: idParams,
      body: updateBody(declaration, keys.update),
      response: one,
      errors: ["not_found", "conflict_version", "period_closed", ...(errors.update ?? [])],
      audit: { entity, action: ["updated", "viewed"] },
    },
    remove: {
      permission,
      params: idParams,
      response: null,
      errors: ["not_found", "period_closed", ...(errors.remove ?? [])],
      audit: { entity, action: "removed" },
    },
    history: {
      about: ABOUT_HISTORY,
      permission,
      params: idParams,
      query: historyQuery,
      response: history,
      errors: ["not_found"],
      audit: viewed,
    },
  } as const;
}
