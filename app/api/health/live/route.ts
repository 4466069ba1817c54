import * as api from "@/lib/core/server/api";
import { route } from "@/lib/route";

export const GET = route(api.getLiveness, async () => ({ status: "ok" }));
