import { meOf } from "@/lib/core/access/permissions";
import * as api from "@/lib/identity/sessions-api";
import { route } from "@/lib/route";

export const GET = route(api.getMe, async ({ actor }) => meOf(actor));
