import { resetTwoStep } from "@/lib/accounts/two-step/data";
import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/lookups/api";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  DELETE: route(api.resetUserTwoStep, ({ actor, params }) => resetTwoStep(actor, params.id)),
});
