import * as api from "@/lib/core/api/description-api";
import { sentDescription } from "@/lib/description/document";
import { route } from "@/lib/route";

route(api.getDescription, async () => sentDescription());

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
