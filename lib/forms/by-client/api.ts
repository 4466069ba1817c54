import * as z from "zod/mini";
import { endpoint } from "@/lib/core/api/endpoint";
import { idParams } from "@/lib/core/api/list-query";
import { lastValue } from "@/lib/forms/by-client/schema";

export const listSuggestions = endpoint("GET /api/clients/{id}/suggestions", {
  about:
    "Returns the values that rarely change between a client's forms, each from the last form with it that the caller may open. The form screen suggests them next to blank fields.",
  permission: "forms",
  params: idParams,
  response: z.object({ suggestions: z.array(lastValue) }),
  errors: ["not_found"],
  audit: { entity: "form", action: "listed" },
});
