import * as api from "@/lib/clients/merges/api";
import { openMerges } from "@/lib/clients/merges/merges";
import { route } from "@/lib/route";

export const GET = route(api.listMerges, ({ actor, params }) => openMerges(actor, params.id));
