import * as api from "@/lib/core/server/api";
import { recordBrowserError } from "@/lib/core/server/browser-errors";
import { clientAddress } from "@/lib/identity/credentials";
import { route } from "@/lib/route";

route(api.recordBrowserError, async ({ body, request }) => recordBrowserError(body, clientAddress(request)));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
