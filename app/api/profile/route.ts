import * as api from "@/lib/accounts/api";
import { getProfile, updateProfile } from "@/lib/accounts/data";
import { methods, route } from "@/lib/api/route";
import { rememberDevice } from "@/lib/auth/device";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.getProfile, async ({ actor }) => ({ profile: await getProfile(actor) })),
  PUT: route(api.updateProfile, async ({ actor, body, request, headers }) => {
    const profile = await updateProfile(actor, body.profile);
    headers.append("Set-Cookie", await rememberDevice(request, actor.userId));
    return { profile };
  }),
});
