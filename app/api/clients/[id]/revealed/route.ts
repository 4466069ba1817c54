import * as api from "@/lib/clients/api";
import { revealClient } from "@/lib/clients/clients";
import { route } from "@/lib/route";

route(api.revealClient, ({ actor, params }) => revealClient(actor, params.id));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
