import { assertMayProve, prove } from "@/lib/identity/credentials";
import * as api from "@/lib/identity/sessions-api";
import { route } from "@/lib/route";

route(
  api.prove,
  ({ actor, body, request }) => prove(actor, body, request),
  ({ actor, request }) => assertMayProve(actor, request),
);

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
