import * as api from "@/lib/identity/sessions-api";
import { beginSignOn } from "@/lib/identity/sign-on/flow";
import { route } from "@/lib/route";

export const GET = route(api.startSignOn, ({ request, query }) =>
  beginSignOn(request, query.purpose, query.url ?? null),
);
