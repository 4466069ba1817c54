import * as api from "@/lib/forms/drafts/api";
import { getDraft, putDraft, removeDraft } from "@/lib/forms/drafts/drafts";
import { route } from "@/lib/route";

export const GET = route(api.getDraft, async ({ actor, params }) => ({
  draft: await getDraft(actor, params.key),
}));

export const PUT = route(api.putDraft, async ({ actor, params, body }) => ({
  draft: await putDraft(actor, params.key, body.draft),
}));

export const DELETE = route(api.removeDraft, ({ actor, params }) => removeDraft(actor, params.key));
