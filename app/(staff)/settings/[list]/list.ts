import { notFound } from "next/navigation";
import { requirePermission, requireUser } from "@/lib/auth/session";
import { isLookupKey, type LookupKey, lookups } from "@/lib/lookups/registry";

/** The list that the address names, for a user who may see it; else login, 404 or 403. */
export async function requireList(params: Promise<{ list: string }>): Promise<LookupKey> {
  const { list } = await params;
  await requireUser();
  if (!isLookupKey(list)) notFound();
  await requirePermission(lookups[list].permission);
  return list;
}
