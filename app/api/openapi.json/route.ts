import * as api from "@/lib/core/api/description-api";
import { description } from "@/lib/description/document";
import { route } from "@/lib/route";

route(api.getDescription, async () => description());

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
