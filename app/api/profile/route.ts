import { getProfile, updateProfile } from "@/lib/accounts/data";
import { profileBody } from "@/lib/accounts/schema";
import { methods, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route({ permission: "signed-in", run: async ({ actor }) => ({ profile: await getProfile(actor) }) }),
  PUT: route({
    permission: "signed-in",
    body: profileBody,
    run: async ({ actor, body }) => ({ profile: await updateProfile(actor, body.profile) }),
  }),
});
