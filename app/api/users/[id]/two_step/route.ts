import { resetTwoStep } from "@/lib/identity/two-step/settings";
import * as api from "@/lib/lookups/api";
import { route } from "@/lib/route";

route(api.resetUserTwoStep, ({ actor, params }) => resetTwoStep(actor, params.id));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
