import "server-only";
import { rows } from "@/lib/database/client";

/** What a row of `tallies` counts. */
const KEY = "list, user_id, reconciled, purged, form_type_id, service_status, service_on";

/** Merges the rows that changes have added to `tallies`, so that lists sum only a few. The sums do not change. */
export async function addUpTallies(): Promise<void> {
  await rows(
    `WITH taken AS (DELETE FROM tallies
       WHERE (${KEY}) IN (SELECT ${KEY} FROM tallies GROUP BY ${KEY} HAVING count(*) > 1) RETURNING *)
     INSERT INTO tallies (${KEY}, tally)
     SELECT ${KEY}, sum(tally) FROM taken GROUP BY ${KEY} HAVING sum(tally) <> 0`,
  );
}
