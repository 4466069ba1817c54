import { resetUserPassword } from "@/lib/lookups/data";
import { idParams } from "@/lib/paging";
import { methods, route } from "@/lib/route";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route({
    permission: "users",
    params: idParams,
    status: 204,
    run: ({ params }) => resetUserPassword(params.id),
  }),
});
