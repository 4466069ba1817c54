import * as api from "@/lib/clients/api";
import { clientChoices } from "@/lib/clients/clients";
import { route } from "@/lib/route";

route(api.listClientChoices, ({ actor }) => clientChoices(actor));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
