import * as api from "@/lib/core/server/api";
import { route } from "@/lib/route";

route(api.getLiveness, async () => ({ status: "ok" }));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
