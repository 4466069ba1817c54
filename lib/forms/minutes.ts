import "server-only";
import { constant, sql } from "@/lib/core/sql";
import { MAGISTERIAL_COURT } from "@/lib/forms/sections/legal";

/** SQL for the total service minutes of the form `f`, by the same rule as `services.totalMinutes`. */
export const MINUTES_SQL = sql`(SELECT COALESCE(sum(p.minutes), 0)::int
  FROM service_entries e
  JOIN service_provided_entries p ON p.service_entry_id = e.id
  JOIN service_codes sc ON sc.id = p.service_code_id
  WHERE e.form_id = f.id AND (sc.can_be_magistrate OR NOT EXISTS (
    SELECT FROM intake_forms i JOIN legal_advocacy_entries l ON l.intake_form_id = i.id
    WHERE i.form_id = f.id AND l.place_of_service = ${constant(MAGISTERIAL_COURT)})))`;
