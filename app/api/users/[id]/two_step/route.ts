import { resetTwoStep } from "@/lib/identity/two-step/settings";
import * as api from "@/lib/lookups/api";
import { route } from "@/lib/route";

export const DELETE = route(api.resetUserTwoStep, ({ actor, params }) => resetTwoStep(actor, params.id));
