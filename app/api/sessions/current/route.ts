import { unauthorized } from "@/lib/api/errors";
import { methods, route } from "@/lib/api/route";
import { peekSession } from "@/lib/auth/session";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route({
    // Not "signed-in": that would prolong the session whose remaining time is asked for.
    permission: "guest",
    run: async ({ request }) => {
      const session = await peekSession(request);
      if (!session) throw unauthorized();
      return session;
    },
  }),
});
