import { methods, route } from "@/lib/api/route";
import { listDrafts } from "@/lib/drafts/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route({
    permission: "forms",
    run: async ({ actor }) => ({ drafts: await listDrafts(actor) }),
  }),
});
