import * as api from "@/lib/accounts/api";
import { beginTwoStep, confirmTwoStep, endTwoStep, twoStepOf } from "@/lib/accounts/two-step/data";
import { route } from "@/lib/api/route";
import { countCode } from "@/lib/auth/credentials";

route(api.getTwoStep, async ({ actor }) => ({ twoStep: await twoStepOf(actor) }));

route(api.beginTwoStep, async ({ actor }) => ({ twoStep: await beginTwoStep(actor) }));

route(api.confirmTwoStep, async ({ actor, body, request }) => ({
  recoveryCodes: await countCode(actor, request, () => confirmTwoStep(actor, body)),
}));

route(api.endTwoStep, ({ actor }) => endTwoStep(actor));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
