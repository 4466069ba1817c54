import { resetUserPassword } from "@/lib/identity/users";
import * as api from "@/lib/lookups/api";
import { route } from "@/lib/route";

export const POST = route(api.resetUserPassword, ({ actor, params }) => resetUserPassword(actor, params.id));
