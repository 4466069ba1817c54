import { saveFieldOrder } from "@/lib/forms/fields/settings";
import * as api from "@/lib/forms/fields/settings-api";
import { route } from "@/lib/route";

export const PUT = route(api.setFieldOrder, async ({ actor, body }) => ({
  fieldOrder: await saveFieldOrder(actor, body.fieldOrder.fields),
}));
