import { type BodyOf, call } from "@/lib/api/client";
import { creation } from "@/lib/api/creation";

/** A way to make one form; `body` as `PUT /api/forms/{id}` takes it. */
export const formCreation = () =>
  creation({
    create: (body: BodyOf<"POST /api/forms">, options) => call("POST /api/forms", { ...options, body }),
    update: ({ form: { id } }, body, options) =>
      call("PUT /api/forms/{id}", { ...options, params: { id }, body }),
  });
