import { idParams } from "@/lib/api/paging";
import { methods, route } from "@/lib/api/route";
import { resetUserPassword } from "@/lib/lookups/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route({
    permission: "users",
    params: idParams,
    status: 204,
    run: ({ params }) => resetUserPassword(params.id),
  }),
});
