import { requestPasswordReset, resetPassword } from "@/lib/accounts/data";
import { forgotPasswordSchema, updatePasswordBody } from "@/lib/accounts/schema";
import { methods, route } from "@/lib/api/route";
import { clientAddress } from "@/lib/auth/credentials";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route({
    permission: "guest",
    body: forgotPasswordSchema,
    run: async ({ body, request }) => {
      await requestPasswordReset(body.email, clientAddress(request));
      return {};
    },
  }),
  PUT: route({
    permission: "guest",
    reported: false,
    body: updatePasswordBody,
    run: async ({ body }) => {
      await resetPassword(body.token, body.password);
      return {};
    },
  }),
});
