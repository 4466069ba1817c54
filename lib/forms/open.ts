import "server-only";
import type { Client } from "@/lib/clients/api-schema";
import { getClient, getClientOfForm } from "@/lib/clients/clients";
import type { SessionUser } from "@/lib/core/access/permissions";
import type { Form } from "@/lib/forms/api-schema";
import { getForm } from "@/lib/forms/forms";
import type { ServiceCode } from "@/lib/lookups/api-schema";
import { serviceCodesOfForm } from "@/lib/lookups/resources/lists";

/**
 * Returns a form the actor may see, its client and the service codes of its type, read together. Throws 404 otherwise.
 */
export async function openForm(
  actor: SessionUser,
  id: number,
): Promise<{ form: Form; client: Client; clientPurged: boolean; offered: ServiceCode[] }> {
  const [form, { client, purged }, offered] = await Promise.all([
    getForm(actor, id).then((form) => form.value()),
    getClientOfForm(actor, id),
    serviceCodesOfForm(actor, id),
  ]);
  // The client differs if a save happened between the reads.
  return {
    form,
    client: client.id === form.clientId ? client : await getClient(actor, form.clientId),
    clientPurged: purged,
    offered,
  };
}
