import { unauthorized } from "@/lib/core/errors";
import { peekSession } from "@/lib/identity/session";
import * as api from "@/lib/identity/sessions-api";
import { route } from "@/lib/route";

export const GET = route(api.peekSession, async ({ request }) => {
  const session = await peekSession(request);
  if (!session) throw unauthorized();
  return session;
});
