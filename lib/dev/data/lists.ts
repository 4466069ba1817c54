import type { ClientBase } from "pg";
import { type LookupKey, lookupKeys } from "@/lib/lookups/registry";

/** The ids of the lookup lists, and the properties of form types and service codes. */
export type Lists = Awaited<ReturnType<typeof readLists>>;

/** Reads the lists of a seeded database. */
export async function readLists(client: ClientBase) {
  const ids = async (from: string): Promise<number[]> =>
    (await client.query<{ id: number }>(`SELECT id FROM ${from} ORDER BY id`)).rows.map(({ id }) => id);
  const byList: Partial<Record<LookupKey, number[]>> = {};
  for (const key of lookupKeys) byList[key] = await ids(key);
  const one = async (from: string) => (await ids(from))[0] ?? null;
  const { rows: formTypes } = await client.query<{ id: number; name: string }>(
    "SELECT id, name::text FROM form_types ORDER BY id",
  );
  const { rows: offered } = await client.query<{ type: number; magisterial: boolean; codes: number[] }>(
    `SELECT o.form_type_id AS type, magisterial, array_agg(c.id ORDER BY c.id) AS codes
     FROM service_code_form_types o JOIN service_codes c ON c.id = o.service_code_id,
       (VALUES (false), (true)) AS court(magisterial)
     WHERE c.can_be_magistrate OR NOT magisterial GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  return {
    ...(byList as Record<LookupKey, number[]>),
    noCanine: await one("canines WHERE name = 'None'"),
    canines: await ids("canines WHERE name <> 'None'"),
    administrator: await one("roles WHERE name = 'Administrator'"),
    advocate: await one("roles WHERE name = 'Advocate'"),
    formTypes,
    offered,
  };
}
