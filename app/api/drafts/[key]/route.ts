import * as api from "@/lib/forms/drafts/api";
import { getDraft, putDraft, removeDraft } from "@/lib/forms/drafts/drafts";
import { route } from "@/lib/route";

route(api.getDraft, async ({ actor, params }) => ({ draft: await getDraft(actor, params.key) }));

route(api.putDraft, async ({ actor, params, body }) => ({
  draft: await putDraft(actor, params.key, body.draft),
}));

route(api.removeDraft, ({ actor, params }) => removeDraft(actor, params.key));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
