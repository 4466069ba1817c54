import * as api from "@/lib/clients/api";
import { revealClient } from "@/lib/clients/clients";
import { route } from "@/lib/route";

export const POST = route(api.revealClient, ({ actor, params }) => revealClient(actor, params.id));
