import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/auth/api";
import { finishSignOn } from "@/lib/auth/sign-on/flow";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.completeSignOn, ({ request, query }) => finishSignOn(request, query)),
});
