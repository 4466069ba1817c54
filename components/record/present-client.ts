import type { Client } from "@/lib/clients/api-schema";
import { call, isCode } from "@/lib/core/api/client";

/** Returns the stored client with this id or, if it was merged, the record it was merged into. */
export async function presentClient(id: number): Promise<Client> {
  try {
    return (await call("GET /api/clients/{id}", { params: { id } })).client;
  } catch (error) {
    if (!isCode(error, "not_found")) throw error;
    const { mergedInto } = await call("GET /api/clients/{id}/merges", { params: { id } });
    if (mergedInto === null) throw error;
    return (await call("GET /api/clients/{id}", { params: { id: mergedInto } })).client;
  }
}
