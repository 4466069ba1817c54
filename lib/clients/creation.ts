import { type BodyOf, call } from "@/lib/core/api/client";
import { creation } from "@/lib/core/api/creation";

/** Creates one client, and never two. `body` is as in `PUT /api/clients/{id}`. */
export const clientCreation = () =>
  creation({
    create: (body: BodyOf<"POST /api/clients">, options) => call("POST /api/clients", { ...options, body }),
    update: ({ client: { id } }, body, options) =>
      call("PUT /api/clients/{id}", { ...options, params: { id }, body }),
  });
