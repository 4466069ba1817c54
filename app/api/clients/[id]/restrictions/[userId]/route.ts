import * as api from "@/lib/clients/restrictions/api";
import { involvementOf } from "@/lib/forms/hand-over/client";
import { route } from "@/lib/route";

route(api.getInvolvement, async ({ actor, params }) => ({
  involvement: await involvementOf(actor, params.id, params.userId),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
