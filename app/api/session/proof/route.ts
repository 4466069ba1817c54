import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/auth/api";
import { prove } from "@/lib/auth/credentials";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route(api.prove, ({ actor, body, request }) => prove(actor, body, request)),
});
