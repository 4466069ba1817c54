import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/periods/api";
import { closedThrough, closeThrough } from "@/lib/periods/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.getClosedPeriods, async () => ({ closedThrough: await closedThrough() })),
  PUT: route(api.setClosedPeriods, ({ actor, body }) => closeThrough(actor, body.closedThrough)),
});
