import * as z from "zod/mini";
import { work } from "@/lib/clients/api-schema";
import { endpoint } from "@/lib/core/api/endpoint";
import { idParams } from "@/lib/core/api/list-query";
import { id } from "@/lib/core/fields/validation";

export const handOver = endpoint("POST /api/users/{id}/hand_over", {
  permission: "users",
  params: idParams,
  proof: true,
  about:
    "Transfers the user's clients, drafts, and returned forms to a colleague and returns the number of each. The colleague must be active and hold Forms. Records of clients hidden from the caller or the colleague, and forms of closed periods, do not move. `deactivate` also deactivates the account; both changes succeed or neither does.",
  body: z.object({ toUserId: id(), deactivate: z._default(z.boolean(), false) }),
  response: work,
  errors: ["not_found", "conflict_busy"],
  audit: { entity: "client", action: "updated" },
});
