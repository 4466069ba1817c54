import * as z from "zod/mini";
import { idParam } from "@/lib/core/api/list-query";
import { outcomes } from "@/lib/core/api/response";
import { distinctIds, id, requiredLongText } from "@/lib/core/fields/validation";
import { formComment } from "@/lib/forms/api-schema";
import { READ_MAX, RECONCILE_MAX } from "@/lib/forms/review/limits";

const reconciledBody = z.object({ reconciled: z.boolean() });
/** The version that the caller has read. Another one → 409, so that nobody checks what they have not seen. */
const versionRead = z.optional(z.int().check(z.nonnegative()));

export const reconcileBody = z.extend(reconciledBody, { lockVersion: versionRead });

export const reconcileManyBody = z.extend(reconciledBody, {
  ids: distinctIds(RECONCILE_MAX),
  undo: z._default(z.boolean({ error: "must be true or false" }), false),
  /** The versions that the caller has read, by the form's id. */
  lockVersions: z._default(z.record(z.string(), z.int().check(z.nonnegative())), {}),
});

/** `changed` lists those of `done` whose state changed. */
export const reconcileOutcomes = z.extend(outcomes, { changed: z.array(id()) });
export type ReconcileOutcomes = z.output<typeof reconcileOutcomes>;

const COMMENT_CHARACTERS_MAX = 2_000;
const commentText = () =>
  requiredLongText().check(
    z.maxLength(COMMENT_CHARACTERS_MAX, { error: "must be at most 2,000 characters" }),
  );

export const returnBody = z.object({ comment: commentText(), lockVersion: versionRead });

/** The body of `POST /api/forms/{id}/comments`, and its response. */
export const commentBody = z.object({ text: commentText() });
export const oneComment = z.object({ comment: formComment });

/** Returns the ids in the URL of the page that shows several forms to read: `?ids=7,12`. Ignores what is no id. */
export const idsToRead = (text: string | string[] | undefined): number[] => {
  const ids = String(text ?? "")
    .split(",")
    .flatMap((id) => idParam.safeParse(id).data ?? []);
  return [...new Set(ids)].slice(0, READ_MAX);
};
