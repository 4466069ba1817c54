import { z } from "zod";
import { work } from "@/lib/clients/work";
import { endpoint } from "@/lib/core/api/endpoint";
import { idParams } from "@/lib/core/api/list-query";
import { id } from "@/lib/core/fields/validation";

export const handOver = endpoint("POST /api/users/{id}/hand_over", {
  permission: "users",
  params: idParams,
  proof: true,
  about:
    "Gives the user's clients, drafts and returned forms to a colleague, who must be active and hold Forms, and returns how many moved. What is about a client who is hidden from the caller or the colleague, and forms of closed periods, stay. With `deactivate`, the account is deactivated too: both happen or neither.",
  body: z.object({ toUserId: id(), deactivate: z.boolean().default(false) }),
  answer: work,
  errors: ["not_found", "conflict_busy"],
  audit: { entity: "client", action: "updated" },
});
