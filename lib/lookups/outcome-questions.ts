import "server-only";
import { queryIn } from "@/lib/core/database/client";
import { AppError } from "@/lib/core/errors";
import { sql } from "@/lib/core/sql";
import { counted } from "@/lib/core/text/format";
import type { Special } from "@/lib/identity/special";

// The questions on outcome cards. A report adds up the yes answers of a measure, so its question must not change in
// hindsight, and only one is asked at a time.

const inUse = (message: string) => new AppError("conflict_in_use", message);

export const outcomeQuestions: Special = {
  async check(tx, _actor, values, stored) {
    const query = queryIn(tx);
    const isOther = stored && (stored.name !== values.name || stored.measure !== values.measure);
    if (stored && isOther) {
      const [row] = await query<{ answers: number }>(
        sql`SELECT count(*)::int AS answers FROM outcome_answers WHERE outcome_question_id = ${stored.id}`,
      );
      if (row && row.answers > 0)
        throw inUse(
          `${counted(row.answers, "outcome survey")} ${row.answers === 1 ? "has" : "have"} answers to this question. Make it inactive, and add another one`,
        );
    }
    if (values.active !== true || values.measure === "") return;
    // Two questions that are saved at the same time must not both become the one that is asked.
    await query(
      sql`SELECT pg_advisory_xact_lock(hashtextextended('outcome question that is asked', 0))::text`,
    );
    const [other] = await query<{ name: string }>(
      sql`SELECT name::text AS name FROM outcome_questions
       WHERE active AND measure = ${values.measure} AND id IS DISTINCT FROM ${stored?.id ?? null}::int`,
    );
    if (other) throw inUse(`Another active question has this measure: ${other.name}`);
  },
};
