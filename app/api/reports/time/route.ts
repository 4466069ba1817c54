import * as api from "@/lib/reports/api";
import { getTime } from "@/lib/reports/time";
import { route } from "@/lib/route";

export const GET = route(api.getTime, ({ actor, query }) => getTime(actor, query));
