import { route } from "@/lib/route";
import * as api from "@/lib/shelter/api";
import { revealStay } from "@/lib/shelter/board";

export const POST = route(api.revealStay, async ({ actor, params }) => ({
  client: await revealStay(actor, params.id),
}));
