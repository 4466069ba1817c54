import { fileOf } from "@/lib/core/api/files";
import { route } from "@/lib/route";
import * as api from "@/lib/shelter/api";
import { stayReads } from "@/lib/shelter/list";

export const GET = route(api.exportStaysXlsx, async ({ actor, query }) =>
  fileOf("xlsx", await stayReads.export(actor, query)),
);
