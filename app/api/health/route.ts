import { unavailable } from "@/lib/core/api/errors";
import * as api from "@/lib/core/server/api";
import { isHealthy } from "@/lib/core/server/health";
import { route } from "@/lib/route";

route(api.getHealth, async () => {
  if (await isHealthy()) return { status: "ok" };
  const { code, messages: error, status, extra } = unavailable();
  return Response.json({ status: code, error, code }, { status, headers: extra.headers });
});

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
