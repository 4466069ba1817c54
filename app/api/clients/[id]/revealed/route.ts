import { route } from "@/lib/api/route";
import * as api from "@/lib/clients/api";
import { revealClient } from "@/lib/clients/data";

route(api.revealClient, ({ actor, params }) => revealClient(actor, params.id));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
