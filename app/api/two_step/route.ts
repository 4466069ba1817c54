import * as api from "@/lib/accounts/api";
import { beginTwoStep, confirmTwoStep, endTwoStep, twoStepOf } from "@/lib/accounts/two-step/data";
import { methods, route } from "@/lib/api/route";
import { countCode } from "@/lib/auth/credentials";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.getTwoStep, async ({ actor }) => ({ twoStep: await twoStepOf(actor) })),
  POST: route(api.beginTwoStep, async ({ actor }) => ({ twoStep: await beginTwoStep(actor) })),
  PUT: route(api.confirmTwoStep, async ({ actor, body, request }) => ({
    recoveryCodes: await countCode(actor, request, () => confirmTwoStep(actor, body)),
  })),
  DELETE: route(api.endTwoStep, ({ actor }) => endTwoStep(actor)),
});
