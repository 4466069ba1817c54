import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/auth/api";
import { beginSignOn } from "@/lib/auth/sign-on/flow";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.startSignOn, ({ request, query }) => beginSignOn(request, query.purpose, query.url ?? null)),
});
