import { type BodyOf, call } from "@/lib/core/api/client";
import { creation } from "@/lib/core/api/creation";

/** Moves a client in once, and never twice. */
export const stayCreation = () =>
  creation({
    create: (body: BodyOf<"POST /api/stays">, options) => call("POST /api/stays", { ...options, body }),
    update: ({ stay: { id } }, body, options) =>
      call("PUT /api/stays/{id}", { ...options, params: { id }, body }),
  });
