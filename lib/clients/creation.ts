import { type BodyOf, call } from "@/lib/api/client";
import { creation } from "@/lib/api/creation";

/** A way to make one client; `body` as `PUT /api/clients/{id}` takes it. */
export const clientCreation = () =>
  creation({
    create: (body: BodyOf<"POST /api/clients">, options) => call("POST /api/clients", { ...options, body }),
    update: ({ client: { id } }, body, options) =>
      call("PUT /api/clients/{id}", { ...options, params: { id }, body }),
  });
