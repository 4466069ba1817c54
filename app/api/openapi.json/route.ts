import * as api from "@/lib/core/api/description-api";
import { sentDescription } from "@/lib/description/document";
import { route } from "@/lib/route";

export const GET = route(api.getDescription, async () => sentDescription());
