import { type BodyOf, call } from "@/lib/core/api/client";
import { creation } from "@/lib/core/api/creation";

/** Creates one form, and never two. `body` is as in `PUT /api/forms/{id}`. */
export const formCreation = () =>
  creation({
    create: (body: BodyOf<"POST /api/forms">, options) => call("POST /api/forms", { ...options, body }),
    update: ({ form: { id } }, body, options) =>
      call("PUT /api/forms/{id}", { ...options, params: { id }, body }),
  });
