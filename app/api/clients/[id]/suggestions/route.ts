import * as api from "@/lib/forms/by-client/api";
import { listSuggestions } from "@/lib/forms/by-client/read";
import { route } from "@/lib/route";

export const GET = route(api.listSuggestions, ({ actor, params }) => listSuggestions(actor, params.id));
