import { route } from "@/lib/api/route";
import * as api from "@/lib/auth/api";
import { beginSignOn } from "@/lib/auth/sign-on/flow";

route(api.startSignOn, ({ request, query }) => beginSignOn(request, query.purpose, query.url ?? null));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
