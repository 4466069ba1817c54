import * as api from "@/lib/retention/api";
import { listRetained } from "@/lib/retention/retention";
import { route } from "@/lib/route";

route(api.listRetainedClients, ({ actor, query }) => listRetained(actor, query));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
