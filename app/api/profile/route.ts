import * as api from "@/lib/accounts/api";
import { getProfile, updateProfile } from "@/lib/accounts/data";
import { methods, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.getProfile, async ({ actor }) => ({ profile: await getProfile(actor) })),
  PUT: route(api.updateProfile, async ({ actor, body }) => ({
    profile: await updateProfile(actor, body.profile),
  })),
});
