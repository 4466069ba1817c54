import "server-only";
import { rows } from "@/lib/database/client";

/** Merges the rows that changes have added to `tallies`, so that lists sum only a few. The sums do not change. */
export async function addUpTallies(): Promise<void> {
  await rows(
    `WITH several AS (SELECT list, user_id, reconciled, purged FROM tallies GROUP BY 1, 2, 3, 4 HAVING count(*) > 1),
       taken AS (DELETE FROM tallies t USING several s
         WHERE (t.list, t.user_id, t.reconciled, t.purged) = (s.list, s.user_id, s.reconciled, s.purged) RETURNING t.*)
     INSERT INTO tallies (list, user_id, reconciled, purged, tally)
     SELECT list, user_id, reconciled, purged, sum(tally) FROM taken GROUP BY 1, 2, 3, 4 HAVING sum(tally) <> 0`,
  );
}
