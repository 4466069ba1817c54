import { unauthorized } from "@/lib/api/errors";
import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/auth/api";
import { peekSession } from "@/lib/auth/session";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.peekSession, async ({ request }) => {
    const session = await peekSession(request);
    if (!session) throw unauthorized();
    return session;
  }),
});
