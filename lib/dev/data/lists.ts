import type { ClientBase } from "pg";

/** The ids of the lookup lists, and the properties of form types and service codes. */
export type Lists = Awaited<ReturnType<typeof readLists>>;

const NAMED = {
  ageBrackets: "age_brackets",
  educationLevels: "education_levels",
  incomeLevels: "income_levels",
  ethnicities: "ethnicities",
  relationships: "offender_relationships",
  custodyStatuses: "custody_statuses",
  hateCrimes: "hate_crime_categories",
  victimizations: "secondary_victimizations",
  outcomes: "magisterial_court_outcomes",
  contactTypes: "pfa_court_contact_types",
  referralSources: "referral_sources",
  contactKinds: "contact_kinds",
} as const;

/** Reads the lists of a seeded database. */
export async function readLists(client: ClientBase) {
  const ids = async (from: string): Promise<number[]> =>
    (await client.query<{ id: number }>(`SELECT id FROM ${from} ORDER BY id`)).rows.map(({ id }) => id);
  const named: Record<string, number[]> = {};
  for (const [key, table] of Object.entries(NAMED)) named[key] = await ids(table);
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
    ...(named as Record<keyof typeof NAMED, number[]>),
    noCanine: await one("canines WHERE name = 'None'"),
    canines: await ids("canines WHERE name <> 'None'"),
    administrator: await one("roles WHERE name = 'Administrator'"),
    advocate: await one("roles WHERE name = 'Advocate'"),
    formTypes,
    offered,
  };
}
