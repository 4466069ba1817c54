import * as api from "@/lib/forms/review/api";
import { addComment } from "@/lib/forms/review/comments";
import { route } from "@/lib/route";

export const POST = route(api.addComment, async ({ actor, params, body, keys }) => ({
  comment: await addComment(actor, params.id, body.text, keys.idempotencyKey ?? null),
}));
