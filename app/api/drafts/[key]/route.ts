import { methods, route } from "@/lib/api/route";
import { getDraft, putDraft, removeDraft } from "@/lib/drafts/data";
import { draftBody, draftParams } from "@/lib/drafts/schema";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route({
    permission: "forms",
    params: draftParams,
    run: async ({ actor, params }) => ({ draft: await getDraft(actor, params.key) }),
  }),
  PUT: route({
    permission: "forms",
    params: draftParams,
    body: draftBody,
    run: async ({ actor, params, body }) => ({ draft: await putDraft(actor, params.key, body.draft) }),
  }),
  DELETE: route({
    permission: "forms",
    params: draftParams,
    status: 204,
    run: ({ actor, params }) => removeDraft(actor, params.key),
  }),
});
