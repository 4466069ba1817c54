import { listDrafts } from "@/lib/drafts/data";
import { methods, route } from "@/lib/route";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route({
    permission: "forms",
    run: async ({ actor }) => ({ drafts: await listDrafts(actor) }),
  }),
});
