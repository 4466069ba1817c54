import { fileOf } from "@/lib/api/files";
import { route } from "@/lib/api/route";
import * as api from "@/lib/clients/api";
import { exportClients } from "@/lib/clients/data";

route(api.exportClients, async ({ actor, query }) => fileOf("csv", await exportClients(actor, query)));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
