import { csvFile } from "@/lib/api/csv";
import { methods, route } from "@/lib/api/route";
import { fullName } from "@/lib/auth/permissions";
import { date } from "@/lib/fields/format";
import * as api from "@/lib/forms/api";
import { exportForms } from "@/lib/forms/data";

const HEADER = ["Id", "Client", "Advocate Name", "Form Type", "Service Status", "Service On"];

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.exportForms, async ({ actor, query }) =>
    csvFile("forms", HEADER, await exportForms(actor, query), (form) => [
      form.id,
      form.client.name,
      fullName(form.user),
      form.formType.name,
      form.serviceStatus,
      date(form.serviceOn),
    ]),
  ),
});
