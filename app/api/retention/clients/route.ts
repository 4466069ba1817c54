import * as api from "@/lib/retention/api";
import { listRetained } from "@/lib/retention/retention";
import { route } from "@/lib/route";

export const GET = route(api.listRetainedClients, ({ actor, query }) => listRetained(actor, query));
