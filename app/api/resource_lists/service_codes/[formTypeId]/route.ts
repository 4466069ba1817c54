import * as api from "@/lib/lookups/api";
import { serviceCodesFor } from "@/lib/lookups/resources/lists";
import { route } from "@/lib/route";

export const GET = route(api.listServiceCodesOfType, async ({ actor, params }) => ({
  serviceCodes: await serviceCodesFor(actor, params.formTypeId),
}));
