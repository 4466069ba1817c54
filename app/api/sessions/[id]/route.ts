import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/auth/api";
import { endSession } from "@/lib/auth/session";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  DELETE: route(api.endSession, ({ actor, params }) => endSession(actor, params.id)),
});
