import * as api from "@/lib/accounts/api";
import { getProfile, updateProfile } from "@/lib/accounts/data";
import { route } from "@/lib/api/route";
import { rememberDevice } from "@/lib/auth/device";

route(api.getProfile, async ({ actor }) => ({ profile: await getProfile(actor) }));

route(api.updateProfile, async ({ actor, body, request, headers }) => {
  const profile = await updateProfile(actor, body.profile);
  headers.append("Set-Cookie", await rememberDevice(request, actor.userId));
  return { profile };
});

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
