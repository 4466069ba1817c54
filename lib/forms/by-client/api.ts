import { z } from "zod";
import { endpoint } from "@/lib/core/api/endpoint";
import { idParams } from "@/lib/core/api/list-query";
import { lastValue } from "@/lib/forms/by-client/schema";

export const listSuggestions = endpoint("GET /api/clients/{id}/suggestions", {
  about:
    "What rarely changes between a client's forms, as the last form reports it that the caller may open. The form screen suggests it next to blank fields.",
  permission: "forms",
  params: idParams,
  response: z.object({ suggestions: z.array(lastValue) }),
  errors: ["not_found"],
  audit: { entity: "form", action: "listed" },
});
