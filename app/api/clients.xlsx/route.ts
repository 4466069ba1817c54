import * as api from "@/lib/clients/api";
import { exportClients } from "@/lib/clients/clients";
import { fileOf } from "@/lib/core/api/files";
import { route } from "@/lib/route";

export const GET = route(api.exportClientsXlsx, async ({ actor, query }) =>
  fileOf("xlsx", await exportClients(actor, query)),
);
