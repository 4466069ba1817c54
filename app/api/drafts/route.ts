import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/drafts/api";
import { listDrafts } from "@/lib/drafts/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.listDrafts, async ({ actor }) => ({ drafts: await listDrafts(actor) })),
});
