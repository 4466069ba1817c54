import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/reports/api";
import { getTime } from "@/lib/reports/time/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.getTime, ({ actor, query }) => getTime(actor, query)),
});
