import * as z from "zod/mini";
import { endpoint } from "@/lib/core/api/endpoint";
import { DRAFT_BYTES, draft, draftBody, draftParams, draftSummary } from "@/lib/forms/drafts/schema";

export const listDrafts = endpoint("GET /api/drafts", {
  permission: "forms",
  response: z.object({ drafts: z.array(draftSummary) }),
  beforeTwoStep: true,
  audit: { entity: "draft", action: "listed" },
});

export const getDraft = endpoint("GET /api/drafts/{key}", {
  permission: "forms",
  params: draftParams,
  response: z.object({ draft }),
  errors: ["not_found"],
  audit: { entity: "draft", action: "viewed" },
  beforeTwoStep: true,
});

export const putDraft = endpoint("PUT /api/drafts/{key}", {
  permission: "forms",
  params: draftParams,
  body: draftBody,
  maxBytes: DRAFT_BYTES,
  response: z.object({ draft: draftSummary }),
  errors: ["not_found", "conflict_version"],
  about:
    "With `page`, the draft is stored only for the user who typed it: otherwise 401. If another page has stored or removed the draft since the version in `updatedAt`, the response is 409 `conflict_version`.",
  beforeTwoStep: true,
});

export const removeDraft = endpoint("DELETE /api/drafts/{key}", {
  permission: "forms",
  params: draftParams,
  response: null,
  beforeTwoStep: true,
});
