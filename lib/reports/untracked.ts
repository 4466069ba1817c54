import "server-only";
import { sql } from "@/lib/core/database/sql";
import { listRows } from "@/lib/core/database/statements";
import { byKey, keysOf } from "@/lib/core/fields/by-key";

/** The fields that answer each demographic section; it is not tracked while all of them are hidden. */
const FIELDS = {
  race: ["client.clientDemographicEntry.ethnicityId"],
  gender: ["client.clientDemographicEntry.gender"],
  age: [
    "client.clientBiographicalEntry.dateOfBirth",
    "client.clientBiographicalEntry.ageBracketId",
    "client.clientDemographicEntry.ageBracketId",
  ],
} as const;

/** The day since which the organization no longer asks for each section; null while it does. */
export type Untracked = Record<keyof typeof FIELDS, string | null>;

/** Returns since when the demographic fields are hidden, by themselves or with their section. */
export async function readUntracked(): Promise<Untracked> {
  const hidden = await listRows<{ path: string; hiddenOn: string }>(
    "hidden fields",
    sql`SELECT path, hidden_on::text AS "hiddenOn" FROM field_settings WHERE hidden AND hidden_on IS NOT NULL`,
  );
  /** The field is hidden since the first of these days. */
  const since = (field: string): string | undefined =>
    hidden
      .filter(({ path }) => field === path || field.startsWith(`${path}.`))
      .map(({ hiddenOn }) => hiddenOn)
      .sort()[0];
  return byKey(keysOf(FIELDS), (section) => {
    const days = FIELDS[section].map(since);
    return days.every((day) => day !== undefined) ? (days.sort().at(-1) ?? null) : null;
  });
}
