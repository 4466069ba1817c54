import * as api from "@/lib/clients/api";
import { clientChoices } from "@/lib/clients/clients";
import { route } from "@/lib/route";

export const GET = route(api.listClientChoices, ({ actor }) => clientChoices(actor));
