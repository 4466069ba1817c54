import { isCommonPassword } from "@/lib/core/passwords/guessable";
import * as api from "@/lib/identity/accounts-api";
import { route } from "@/lib/route";

export const POST = route(api.checkPassword, async ({ body }) => ({
  isCommon: isCommonPassword(body.password),
}));
