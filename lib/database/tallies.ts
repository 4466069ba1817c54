import "server-only";
import { rows } from "@/lib/database/client";

/** Merges the rows that changes have added to `tallies`, so that lists sum only a few. The sums do not change. */
export async function addUpTallies(): Promise<void> {
  await rows(
    `WITH several AS (SELECT list, user_id, reconciled FROM tallies GROUP BY 1, 2, 3 HAVING count(*) > 1),
       taken AS (DELETE FROM tallies t USING several s
         WHERE (t.list, t.user_id, t.reconciled) = (s.list, s.user_id, s.reconciled) RETURNING t.*)
     INSERT INTO tallies SELECT list, user_id, reconciled, sum(tally) FROM taken GROUP BY 1, 2, 3 HAVING sum(tally) <> 0`,
  );
}
