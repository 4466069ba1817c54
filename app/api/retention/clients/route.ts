import { route } from "@/lib/api/route";
import * as api from "@/lib/retention/api";
import { listRetained } from "@/lib/retention/data";

route(api.listRetainedClients, ({ actor, query }) => listRetained(actor, query));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
