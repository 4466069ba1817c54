import * as api from "@/lib/reports/api";
import { getTime } from "@/lib/reports/time";
import { route } from "@/lib/route";

route(api.getTime, ({ actor, query }) => getTime(actor, query));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
