import "server-only";
import { listRows, type ReadRows } from "@/lib/core/database/statements";
import { byKey, keysOf } from "@/lib/core/objects";
import { sql } from "@/lib/core/sql";

/** The fields that answer each demographic section; it is not tracked while all of them are hidden. */
const FIELDS = {
  race: ["client.clientDemographicEntry.ethnicityId"],
  gender: ["client.clientDemographicEntry.gender"],
  sex: ["client.clientDemographicEntry.gender"],
  age: [
    "client.clientBiographicalEntry.dateOfBirth",
    "client.clientBiographicalEntry.ageBracketId",
    "client.clientDemographicEntry.ageBracketId",
  ],
} as const;
type Section = keyof typeof FIELDS;

/** The days on which the organization did not collect each section, as a PostgreSQL multirange. */
export type Untracked = Record<Section, string>;

/** Returns the days on which the demographic fields were hidden, by themselves or with their section. */
export async function readUntracked(read: ReadRows = listRows): Promise<Untracked> {
  const fields = keysOf(FIELDS).flatMap((section) => FIELDS[section].map((path) => ({ section, path })));
  const sections = await read<{ section: Section; days: string }>(
    "hidden fields",
    sql`SELECT section, range_intersect_agg(days)::text AS days FROM (
       SELECT f.section, f.path,
         coalesce(range_agg(daterange(p.hidden_from, p.shown_from)) FILTER (WHERE p.path IS NOT NULL), '{}') AS days
       FROM jsonb_to_recordset(${JSON.stringify(fields)}::jsonb) AS f (section text, path text)
         LEFT JOIN hidden_periods p ON f.path = p.path OR starts_with(f.path, p.path || '.')
       GROUP BY f.section, f.path) AS hidden GROUP BY section`,
  );
  return byKey(keysOf(FIELDS), (key) => sections.find(({ section }) => section === key)?.days ?? "{}");
}
