import { isHealthy } from "@/lib/ops/health";
import { methods, route } from "@/lib/route";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route({
    permission: "guest",
    run: async () => {
      const healthy = await isHealthy();
      return Response.json({ status: healthy ? "ok" : "unavailable" }, { status: healthy ? 200 : 503 });
    },
  }),
});
