import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/drafts/api";
import { getDraft, putDraft, removeDraft } from "@/lib/drafts/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.getDraft, async ({ actor, params }) => ({ draft: await getDraft(actor, params.key) })),
  PUT: route(api.putDraft, async ({ actor, params, body }) => ({
    draft: await putDraft(actor, params.key, body.draft),
  })),
  DELETE: route(api.removeDraft, ({ actor, params }) => removeDraft(actor, params.key)),
});
