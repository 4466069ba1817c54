import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/clients/api";
import { clientChoices } from "@/lib/clients/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.listClientChoices, ({ actor }) => clientChoices(actor)),
});
