import "server-only";
import { type Hiding, notHidden } from "@/lib/core/access/scope";
import { queryIn, type Tx } from "@/lib/core/database/client";
import { AppError } from "@/lib/core/errors";
import { labelIn } from "@/lib/core/fields/facts";
import { identifier, type Sql, sql } from "@/lib/core/sql";
import { counted } from "@/lib/core/text/format";
import type { Special } from "@/lib/identity/special";
import { lookups } from "@/lib/lookups/registry";
import type { Uses } from "@/lib/lookups/uses";

// The flags of form types and service codes. If a flag is removed, forms keep their values, but new forms have none unless
// they are imported. Removing a flag needs a confirmation while forms have such values.

type Part = {
  /** Setting the flag takes the part away, instead of giving it. */
  inverse?: true;
  /** The name of the part; by default the flag's label. */
  label?: string;
  /** Returns the SQL condition that the form `f` of the type, or with the code, has a value there. */
  isHeld: (id: number) => Sql;
};

/** A section of the intake. */
const intakeEntry = (table: string): Part => ({
  isHeld: (id) => sql`f.form_type_id = ${id} AND EXISTS (
    SELECT FROM intake_forms i JOIN ${identifier(table)} e ON e.intake_form_id = i.id WHERE i.form_id = f.id)`,
});

/** The details of a service code's row. */
const rowEntry = (table: string): Part => ({
  isHeld: (id) => sql`f.id IN (
    SELECT e.form_id FROM service_entries e JOIN service_provided_entries p ON p.service_entry_id = e.id
      JOIN ${identifier(table)} d ON d.service_provided_entry_id = p.id WHERE p.service_code_id = ${id})`,
});

const PARTS: Record<"form_types" | "service_codes", Record<string, Part>> = {
  form_types: {
    intakeOnly: {
      inverse: true,
      label: "Referral Source",
      isHeld: (id) => sql`f.form_type_id = ${id} AND EXISTS (SELECT FROM intake_forms i
        WHERE i.form_id = f.id AND (i.referral_source_id IS NOT NULL OR i.referral_source_name <> ''))`,
    },
    phone: {
      inverse: true,
      label: "Canine Assistance",
      isHeld: (id) =>
        sql`f.form_type_id = ${id} AND f.canine_id IN (SELECT id FROM canines WHERE name <> 'None')`,
    },
    serviceEntry: {
      isHeld: (id) =>
        sql`f.form_type_id = ${id} AND EXISTS (SELECT FROM service_entries e WHERE e.form_id = f.id)`,
    },
    onCallAdvocacyEntry: intakeEntry("on_call_advocacy_entries"),
    phoneEntry: intakeEntry("phone_entries"),
    legalAdvocacyEntry: intakeEntry("legal_advocacy_entries"),
    survivorEntry: intakeEntry("survivor_entries"),
  },
  service_codes: {
    hotelShelter: rowEntry("hotel_shelter_entries"),
    videoconferencing: rowEntry("videoconferencing_entries"),
  },
};

async function countForms(tx: Tx, actor: Hiding, isHeld: Sql): Promise<Uses> {
  const [uses] = await queryIn(tx)<Uses>(
    sql`SELECT count(*)::int AS all, (count(*) FILTER (WHERE ${notHidden(actor, sql`f.client_id`)}))::int AS known
     FROM forms f WHERE ${isHeld}`,
  );
  return uses ?? { all: 0, known: 0 };
}

/** Throws 409 with the number of forms that have values in a part that the change takes away, unless it is confirmed. */
const checkOf =
  (list: keyof typeof PARTS): Special["check"] =>
  async (tx, actor, values, stored) => {
    if (!stored || values.confirmed) return;
    const messages: string[] = [];
    for (const [flag, { inverse = false, label, isHeld }] of Object.entries(PARTS[list])) {
      if (values[flag] !== inverse || stored[flag] === inverse) continue;
      const { all, known } = await countForms(tx, actor, isHeld(stored.id));
      const where = label ?? labelIn(lookups[list].schema, flag);
      if (all > 0)
        messages.push(
          known === 0
            ? `Other forms have values in ${where}.`
            : `${counted(known, "form")} ${known === 1 ? "has" : "have"} values in ${where}.`,
        );
    }
    if (messages.length > 0) throw new AppError("conflict_in_use", messages);
  };

/** Stores the flags whose parts the change has removed. */
const savedOf =
  (list: keyof typeof PARTS): Special["saved"] =>
  async (tx, item, stored) => {
    const taken = Object.entries(PARTS[list]).flatMap(([flag, { inverse = false }]) =>
      stored && item[flag] === inverse && stored[flag] !== inverse ? [flag] : [],
    );
    if (taken.length > 0)
      await queryIn(tx)(
        sql`UPDATE ${identifier(list)} SET former_flags = ARRAY(SELECT DISTINCT unnest(former_flags || ${taken}::text[]))
         WHERE id = ${item.id}`,
      );
  };

const specialOf = (list: keyof typeof PARTS): Special => ({ check: checkOf(list), saved: savedOf(list) });
export const formTypes = specialOf("form_types");
export const serviceCodes = specialOf("service_codes");
