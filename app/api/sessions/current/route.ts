import { unauthorized } from "@/lib/core/api/errors";
import { peekSession } from "@/lib/identity/session";
import * as api from "@/lib/identity/sessions-api";
import { route } from "@/lib/route";

route(api.peekSession, async ({ request }) => {
  const session = await peekSession(request);
  if (!session) throw unauthorized();
  return session;
});

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
