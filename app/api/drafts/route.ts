import { route } from "@/lib/api/route";
import * as api from "@/lib/drafts/api";
import { listDrafts } from "@/lib/drafts/data";

route(api.listDrafts, async ({ actor }) => ({ drafts: await listDrafts(actor) }));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
