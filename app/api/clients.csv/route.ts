import { csvFile } from "@/lib/api/csv";
import { methods, route } from "@/lib/api/route";
import { fullName } from "@/lib/auth/permissions";
import * as api from "@/lib/clients/api";
import { exportClients } from "@/lib/clients/data";
import { date } from "@/lib/fields/format";

const HEADER = ["Id", "Client Name", "Advocate Name", "Created On"];

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.exportClients, async ({ actor, query }) =>
    csvFile("clients", HEADER, await exportClients(actor, query), (client) => [
      client.id,
      client.name,
      fullName(client.user),
      date(client.createdOn),
    ]),
  ),
});
