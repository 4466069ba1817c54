import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/description/api";
import { description } from "@/lib/description/document";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.getDescription, async () => description()),
});
