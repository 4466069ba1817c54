import * as api from "@/lib/forms/drafts/api";
import { listDrafts } from "@/lib/forms/drafts/drafts";
import { route } from "@/lib/route";

route(api.listDrafts, async ({ actor }) => ({ drafts: await listDrafts(actor) }));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
