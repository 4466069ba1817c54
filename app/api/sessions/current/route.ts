import { unauthorized } from "@/lib/api/errors";
import { route } from "@/lib/api/route";
import * as api from "@/lib/auth/api";
import { peekSession } from "@/lib/auth/session";

route(api.peekSession, async ({ request }) => {
  const session = await peekSession(request);
  if (!session) throw unauthorized();
  return session;
});

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
