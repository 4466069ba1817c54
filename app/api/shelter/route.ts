import { route } from "@/lib/route";
import * as api from "@/lib/shelter/api";
import { readBoard } from "@/lib/shelter/board";

export const GET = route(api.getBoard, async ({ actor }) => ({ shelters: await readBoard(actor) }));
