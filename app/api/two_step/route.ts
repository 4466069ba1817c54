import * as api from "@/lib/identity/accounts-api";
import { countCode } from "@/lib/identity/credentials";
import { rememberDevice } from "@/lib/identity/known-devices";
import { beginTwoStep, confirmTwoStep, endTwoStep, twoStepOf } from "@/lib/identity/two-step/settings";
import { route } from "@/lib/route";

export const GET = route(api.getTwoStep, async ({ actor }) => ({ twoStep: await twoStepOf(actor) }));

export const POST = route(api.beginTwoStep, async ({ actor }) => ({ twoStep: await beginTwoStep(actor) }));

export const PUT = route(api.confirmTwoStep, async ({ actor, body, request, headers }) => {
  const recoveryCodes = await countCode(actor, request, () => confirmTwoStep(actor, body));
  headers.append("Set-Cookie", await rememberDevice(request, actor.userId, { code: true }));
  return { recoveryCodes };
});

export const DELETE = route(api.endTwoStep, ({ actor }) => endTwoStep(actor));
