import { requestNewLink } from "@/lib/identity/accounts";
import * as api from "@/lib/identity/accounts-api";
import { clientAddress } from "@/lib/identity/credentials";
import { route } from "@/lib/route";

export const POST = route(api.requestNewLink, async ({ body, request }) => {
  await requestNewLink(body.token, clientAddress(request));
  return {};
});
