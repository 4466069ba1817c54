import { unavailable } from "@/lib/api/errors";
import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/server/api";
import { isHealthy } from "@/lib/server/health";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.getHealth, async () => {
    if (await isHealthy()) return { status: "ok" };
    return Response.json({ status: "unavailable" }, { status: 503, headers: unavailable().extra.headers });
  }),
});
