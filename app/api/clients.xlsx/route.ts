import { fileOf } from "@/lib/api/files";
import { route } from "@/lib/api/route";
import * as api from "@/lib/clients/api";
import { exportClients } from "@/lib/clients/data";

route(api.exportClientsXlsx, async ({ actor, query }) => fileOf("xlsx", await exportClients(actor, query)));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
