import { route } from "@/lib/route";
import * as api from "@/lib/shelter/api";
import { readBoard } from "@/lib/shelter/board";

route(api.getBoard, async ({ actor }) => ({ shelters: await readBoard(actor) }));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
