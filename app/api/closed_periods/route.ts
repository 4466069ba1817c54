import * as api from "@/lib/forms/periods/api";
import { closedThrough, closeThrough } from "@/lib/forms/periods/closed-periods";
import { route } from "@/lib/route";

export const GET = route(api.getClosedPeriods, async () => ({ closedThrough: await closedThrough() }));

export const PUT = route(api.setClosedPeriods, ({ actor, body }) => closeThrough(actor, body.closedThrough));
