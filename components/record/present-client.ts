import type { Client } from "@/lib/clients/api-schema";
import { call, isCode } from "@/lib/core/api/client";

const read = async (id: number, phoneNumbers: string[]): Promise<Client> =>
  (await call("POST /api/clients/{id}/compared", { params: { id }, body: { phoneNumbers } })).client;

/**
 * Returns the stored client with this id or, if it was merged, the record it was merged into. A phone number that is none
 * of those given is masked.
 */
export async function presentClient(id: number, phoneNumbers: string[]): Promise<Client> {
  try {
    return await read(id, phoneNumbers);
  } catch (error) {
    if (!isCode(error, "not_found")) throw error;
    const { mergedInto } = await call("GET /api/clients/{id}/merges", { params: { id } });
    if (mergedInto === null) throw error;
    return read(mergedInto, phoneNumbers);
  }
}
