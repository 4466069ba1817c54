import { route } from "@/lib/api/route";
import { clientAddress } from "@/lib/auth/credentials";
import * as api from "@/lib/server/api";
import { recordBrowserError } from "@/lib/server/browser-errors";

route(api.recordBrowserError, async ({ body, request }) => recordBrowserError(body, clientAddress(request)));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
