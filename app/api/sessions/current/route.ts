import { peekSession } from "@/lib/auth/session";
import { unauthorized } from "@/lib/errors";
import { methods, route } from "@/lib/route";

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
