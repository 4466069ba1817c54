import { type BodyOf, call } from "@/lib/core/api/client";
import { creation } from "@/lib/core/api/creation";

/** Creates one contact, and never two. */
export const contactCreation = () =>
  creation({
    create: (body: BodyOf<"POST /api/contacts">, options) => call("POST /api/contacts", { ...options, body }),
    update: ({ contact: { id } }, body, options) =>
      call("PUT /api/contacts/{id}", { ...options, params: { id }, body }),
  });
