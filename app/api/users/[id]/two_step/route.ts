import { resetTwoStep } from "@/lib/accounts/two-step/data";
import { route } from "@/lib/api/route";
import * as api from "@/lib/lookups/api";

route(api.resetUserTwoStep, ({ actor, params }) => resetTwoStep(actor, params.id));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
