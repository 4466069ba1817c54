import { unavailable } from "@/lib/api/errors";
import { route } from "@/lib/api/route";
import * as api from "@/lib/server/api";
import { isHealthy } from "@/lib/server/health";

route(api.getHealth, async () => {
  if (await isHealthy()) return { status: "ok" };
  const { code, messages: error, status, extra } = unavailable();
  return Response.json({ status: code, error, code }, { status, headers: extra.headers });
});

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
