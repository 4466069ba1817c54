import * as api from "@/lib/clients/merges/api";
import { openMerges } from "@/lib/clients/merges/merges";
import { route } from "@/lib/route";

route(api.listMerges, ({ actor, params }) => openMerges(actor, params.id));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
