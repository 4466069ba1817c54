import * as api from "@/lib/clients/restrictions/api";
import { openRestrictions } from "@/lib/clients/restrictions/restrictions";
import { hideClient } from "@/lib/forms/hand-over/client";
import { route } from "@/lib/route";

export const GET = route(api.getRestrictions, async ({ actor, params }) => ({
  restrictions: await openRestrictions(actor, params.id),
}));

export const PUT = route(api.setRestrictions, ({ actor, params, body }) =>
  hideClient(actor, params.id, body),
);
