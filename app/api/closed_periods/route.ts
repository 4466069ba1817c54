import { route } from "@/lib/api/route";
import * as api from "@/lib/periods/api";
import { closedThrough, closeThrough } from "@/lib/periods/data";

route(api.getClosedPeriods, async () => ({ closedThrough: await closedThrough() }));

route(api.setClosedPeriods, ({ actor, body }) => closeThrough(actor, body.closedThrough));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
