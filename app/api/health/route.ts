import { unavailable } from "@/lib/api/errors";
import { methods, route } from "@/lib/api/route";
import { isHealthy } from "@/lib/server/health";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route({
    permission: "guest",
    queued: false,
    run: async () => {
      if (await isHealthy()) return { status: "ok" };
      return Response.json({ status: "unavailable" }, { status: 503, headers: unavailable().extra.headers });
    },
  }),
});
