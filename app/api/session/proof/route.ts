import { route } from "@/lib/api/route";
import * as api from "@/lib/auth/api";
import { prove } from "@/lib/auth/credentials";

route(api.prove, ({ actor, body, request }) => prove(actor, body, request));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
