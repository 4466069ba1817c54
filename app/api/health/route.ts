import { canAll } from "@/lib/core/access/permissions";
import { unavailable } from "@/lib/core/api/errors";
import * as api from "@/lib/core/server/api";
import { isHealthy } from "@/lib/core/server/health";
import { VERSION } from "@/lib/core/server/version";
import { clientAddress } from "@/lib/identity/credentials";
import { actorIn } from "@/lib/identity/session";
import { actorOfToken, bearerToken } from "@/lib/identity/tokens/bearer";
import { route } from "@/lib/route";

route(api.getHealth, async ({ request }) => {
  if (!(await isHealthy())) {
    const { code, messages: error, status, extra } = unavailable();
    return Response.json({ status: code, error, code }, { status, headers: extra.headers });
  }
  const token = bearerToken(request);
  const actor = token ? await actorOfToken(token, clientAddress(request)) : await actorIn(request, false);
  const isAdministrator = actor !== null && !actor.twoStepRequired && canAll(actor, ["users", "roles"]);
  return isAdministrator ? { status: "ok", version: VERSION } : { status: "ok" };
});

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
