import { route } from "@/lib/api/route";
import * as api from "@/lib/auth/api";
import { finishSignOn } from "@/lib/auth/sign-on/flow";

route(api.completeSignOn, ({ request, query }) => finishSignOn(request, query));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
