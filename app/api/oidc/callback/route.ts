import * as api from "@/lib/identity/sessions-api";
import { finishSignOn } from "@/lib/identity/sign-on/flow";
import { route } from "@/lib/route";

export const GET = route(api.completeSignOn, ({ request, query }) => finishSignOn(request, query));
