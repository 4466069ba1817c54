import { canAll } from "@/lib/core/access/permissions";
import { unavailable } from "@/lib/core/errors";
import { VERSION } from "@/lib/core/process/version";
import * as api from "@/lib/core/server/api";
import { isHealthy } from "@/lib/core/server/health";
import { clientAddress } from "@/lib/identity/credentials";
import { actorIn } from "@/lib/identity/session";
import { actorOfToken, bearerToken } from "@/lib/identity/tokens/bearer";
import { route } from "@/lib/route";

export const GET = route(api.getHealth, async ({ request }) => {
  if (!(await isHealthy())) {
    const { code, messages: error, status, extra } = unavailable();
    return Response.json({ status: code, error, code }, { status, headers: extra.headers });
  }
  const token = bearerToken(request);
  const actor = token ? await actorOfToken(token, clientAddress(request)) : await actorIn(request, false);
  const isAdministrator = actor !== null && !actor.twoStepRequired && canAll(actor, ["users", "roles"]);
  return isAdministrator ? { status: "ok", version: VERSION } : { status: "ok" };
});
