import { currentDefinitions } from "@/lib/core/fields/definitions";
import * as api from "@/lib/forms/fields/api";
import { createField } from "@/lib/forms/fields/fields";
import { route } from "@/lib/route";

// The session's statement has loaded the current definitions.
export const GET = route(api.getFields, async () => ({ definitions: currentDefinitions() }));

export const POST = route(api.createField, async ({ actor, body }) => ({
  field: await createField(actor, body.field),
}));
