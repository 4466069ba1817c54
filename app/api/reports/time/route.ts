import { route } from "@/lib/api/route";
import * as api from "@/lib/reports/api";
import { getTime } from "@/lib/reports/time/data";

route(api.getTime, ({ actor, query }) => getTime(actor, query));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
