import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/lookups/api";
import { serviceCodesFor } from "@/lib/lookups/resources/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.listServiceCodesOfType, async ({ actor, params }) => ({
    serviceCodes: await serviceCodesFor(actor, params.formTypeId),
  })),
});
