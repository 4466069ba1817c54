import { getProfile, updateProfile } from "@/lib/identity/accounts";
import * as api from "@/lib/identity/accounts-api";
import { rememberDevice } from "@/lib/identity/known-devices";
import { route } from "@/lib/route";

export const GET = route(api.getProfile, async ({ actor }) => ({ profile: await getProfile(actor) }));

export const PUT = route(api.updateProfile, async ({ actor, body, request, headers }) => {
  const profile = await updateProfile(actor, body.profile);
  headers.append("Set-Cookie", await rememberDevice(request, actor.userId));
  return { profile };
});
