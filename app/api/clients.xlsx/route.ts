import { fileOf } from "@/lib/api/files";
import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/clients/api";
import { exportClients } from "@/lib/clients/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.exportClientsXlsx, async ({ actor, query }) =>
    fileOf("xlsx", await exportClients(actor, query)),
  ),
});
