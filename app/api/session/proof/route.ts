import { assertMayProve, prove } from "@/lib/identity/credentials";
import * as api from "@/lib/identity/sessions-api";
import { route } from "@/lib/route";

export const POST = route(
  api.prove,
  ({ actor, body, request }) => prove(actor, body, request),
  ({ actor, request }) => assertMayProve(actor, request),
);
