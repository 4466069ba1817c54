import { route } from "@/lib/api/route";
import * as api from "@/lib/description/api";
import { description } from "@/lib/description/document";

route(api.getDescription, async () => description());

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
