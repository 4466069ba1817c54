import { route } from "@/lib/route";
import * as api from "@/lib/shelter/api";
import { revealStay } from "@/lib/shelter/board";

route(api.revealStay, async ({ actor, params }) => ({ client: await revealStay(actor, params.id) }));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
