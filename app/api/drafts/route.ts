import * as api from "@/lib/forms/drafts/api";
import { listDrafts } from "@/lib/forms/drafts/drafts";
import { route } from "@/lib/route";

export const GET = route(api.listDrafts, async ({ actor }) => ({ drafts: await listDrafts(actor) }));
