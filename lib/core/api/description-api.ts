import * as z from "zod/mini";
import { endpoint } from "@/lib/core/api/endpoint";

/** The OpenAPI document of the whole API (lib/description). */
export const getDescription = endpoint("GET /api/openapi.json", {
  permission: "signed-in",
  response: z.looseObject({ openapi: z.string(), info: z.looseObject({ title: z.string() }) }),
  about:
    "This description, for programs that read OpenAPI 3.1. The page /api/docs shows it in a readable form.",
});
