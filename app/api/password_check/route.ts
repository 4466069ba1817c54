import { isCommonPassword } from "@/lib/core/server/guessable-passwords";
import * as api from "@/lib/identity/accounts-api";
import { route } from "@/lib/route";

route(api.checkPassword, async ({ body }) => ({ isCommon: isCommonPassword(body.password) }));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
