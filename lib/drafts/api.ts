import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint";
import { draft, draftBody, draftParams, draftSummary } from "@/lib/drafts/schema";

export const listDrafts = endpoint({
  method: "GET",
  path: "/api/drafts",
  permission: "forms",
  answer: z.object({ drafts: z.array(draftSummary) }),
  beforeTwoStep: true,
  audit: { entity: "draft", action: "listed" },
});

export const getDraft = endpoint({
  method: "GET",
  path: "/api/drafts/{key}",
  permission: "forms",
  params: draftParams,
  answer: z.object({ draft }),
  errors: ["not_found"],
  audit: { entity: "draft", action: "viewed" },
  beforeTwoStep: true,
});

export const putDraft = endpoint({
  method: "PUT",
  path: "/api/drafts/{key}",
  permission: "forms",
  params: draftParams,
  body: draftBody,
  answer: z.object({ draft: draftSummary }),
  errors: ["not_found"],
  beforeTwoStep: true,
});

export const removeDraft = endpoint({
  method: "DELETE",
  path: "/api/drafts/{key}",
  permission: "forms",
  params: draftParams,
  answer: null,
  beforeTwoStep: true,
});
