import { methods, route } from "@/lib/api/route";

/** What no other route takes: 401 for a guest, 404 for everyone else, as JSON like all the API. */
const nowhere = { permission: () => null, run: async () => undefined };

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(nowhere),
  POST: route(nowhere),
  PUT: route(nowhere),
  DELETE: route(nowhere),
  PATCH: route(nowhere),
});
