import * as api from "@/lib/clients/restrictions/api";
import { involvementOf } from "@/lib/forms/hand-over/client";
import { route } from "@/lib/route";

export const GET = route(api.getInvolvement, async ({ actor, params }) => ({
  involvement: await involvementOf(actor, params.id, params.userId),
}));
