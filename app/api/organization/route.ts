import * as api from "@/lib/organization/api";
import { readOrganization, saveOrganization } from "@/lib/organization/organization";
import { route } from "@/lib/route";

export const GET = route(api.getOrganization, async ({ actor }) => ({
  organization: await readOrganization(actor),
}));

export const PUT = route(api.setOrganization, async ({ actor, body }) => ({
  organization: await saveOrganization(actor, body.organization),
}));
