import "server-only";
import { namedItem, person } from "@/lib/api/answer";
import { columnsJson, recordJson } from "@/lib/database/record-read";
import { formSchema } from "@/lib/forms/schema";
import { formType, serviceCode } from "@/lib/forms/types";

/** SQL for a whole form as the API returns it (`formAnswer`); the row's alias is `f`. */
export const FORM_JSON = recordJson(formSchema, "f", {
  forms: {
    reconciled: "f.reconciled",
    userId: "f.user_id",
    user: `(SELECT ${columnsJson(person, "owner")} FROM users owner WHERE owner.id = f.user_id)`,
    client: `(SELECT ${columnsJson(namedItem, "c")} FROM clients c WHERE c.id = f.client_id)`,
    formType: `(SELECT ${columnsJson(formType, "t")} FROM form_types t WHERE t.id = f.form_type_id)`,
  },
  service_provided_entries: {
    serviceEntryId: "service_provided_entries.service_entry_id",
    serviceCode: `(SELECT ${columnsJson(serviceCode, "sc")} FROM service_codes sc WHERE sc.id = service_provided_entries.service_code_id)`,
  },
});
