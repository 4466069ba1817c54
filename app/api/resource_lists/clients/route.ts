import { route } from "@/lib/api/route";
import * as api from "@/lib/clients/api";
import { clientChoices } from "@/lib/clients/data";

route(api.listClientChoices, ({ actor }) => clientChoices(actor));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
