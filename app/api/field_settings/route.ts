import { currentDefinitions } from "@/lib/core/fields/definitions";
import { settingItems } from "@/lib/forms/fields/controls";
import * as api from "@/lib/forms/fields/settings-api";
import { route } from "@/lib/route";

// The session's statement has loaded the current definitions.
export const GET = route(api.getFieldSettings, async () => ({
  fieldSettings: settingItems(currentDefinitions().settings),
}));
