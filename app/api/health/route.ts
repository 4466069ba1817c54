import { unavailable } from "@/lib/errors";
import { isHealthy } from "@/lib/ops/health";
import { methods, route } from "@/lib/route";

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
