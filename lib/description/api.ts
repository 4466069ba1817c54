import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint";

/** The description that this is part of; docs/openapi.json is the same. */
export const getDescription = endpoint("GET /api/openapi.json", {
  permission: "signed-in",
  answer: z.looseObject({ openapi: z.string(), info: z.looseObject({ title: z.string() }) }),
  about: "This description, for programs that read OpenAPI 3.1. The page /api/docs shows it to people.",
});
