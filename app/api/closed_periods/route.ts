import * as api from "@/lib/forms/periods/api";
import { closedThrough, closeThrough } from "@/lib/forms/periods/closed-periods";
import { route } from "@/lib/route";

route(api.getClosedPeriods, async () => ({ closedThrough: await closedThrough() }));

route(api.setClosedPeriods, ({ actor, body }) => closeThrough(actor, body.closedThrough));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
