import { z } from "zod";
import { idParam } from "@/lib/api/paging";
import { type Access, methods, route } from "@/lib/api/route";
import { isResource, resourceList, serviceCodesFor } from "@/lib/lookups/data";

/** Contract §2; every other list is for anyone signed in. */
const ACCESS: Record<string, Access> = {
  clients: ["forms", "clients"],
  users: ["clients", "all-forms", "users"],
  roles: ["users", "roles"],
  permissions: "roles",
};

/** Null when there is no such list. */
function accessTo({ list: segments }: { list?: string | string[] }): Access | null {
  const [list = "", ...rest] = [segments ?? []].flat();
  if (list === "service_codes") return rest.length === 1 ? "signed-in" : null;
  if (rest.length > 0 || !isResource(list)) return null;
  return ACCESS[list] ?? "signed-in";
}

const params = z.object({ list: z.tuple([z.string()]).rest(idParam) });

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route({
    permission: accessTo,
    params,
    run: async ({
      params: {
        list: [name, formTypeId],
      },
    }) => (formTypeId ? { serviceCodes: await serviceCodesFor(formTypeId) } : resourceList(name)),
  }),
});
