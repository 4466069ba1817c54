import { route } from "@/lib/api/route";
import * as api from "@/lib/merges/api";
import { openMerges } from "@/lib/merges/data";

route(api.listMerges, ({ actor, params }) => openMerges(actor, params.id));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
