import { unavailable } from "@/lib/api/errors";
import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/server/api";
import { isHealthy } from "@/lib/server/health";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.getHealth, async () => {
    if (await isHealthy()) return { status: "ok" };
    const { code, messages: error, status, extra } = unavailable();
    return Response.json({ status: code, error, code }, { status, headers: extra.headers });
  }),
});
