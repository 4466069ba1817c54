import { randomUUID } from "node:crypto";
import { askJson, CONNECTIONS } from "@/lib/develop/bench/load";
import type { Place } from "@/lib/develop/bench/place";

// Bodies of legal advocacy forms, the type with the most entries. Each connection has forms of its own, so that no
// save waits for another's row.

const FORMS_EACH = 6;

export type Saves = Awaited<ReturnType<typeof savesOf>>;
type Values = Record<string, unknown>;

/** Reads the forms that `place` saves, through the API. */
export async function savesOf({ database, product, forms }: Place) {
  const { rows } = await database.query<{ id: number }>(
    `SELECT f.id FROM forms f JOIN intake_forms i ON i.form_id = f.id
       JOIN legal_advocacy_entries l ON l.intake_form_id = i.id
     WHERE f.id <= $1 AND NOT f.reconciled AND f.service_status = 'Served' ORDER BY f.id DESC LIMIT $2`,
    // Past the generated ones are those of the bare server, which writes less than a whole form.
    [forms, CONNECTIONS * FORMS_EACH],
  );
  if (rows.length < CONNECTIONS) throw new Error(`${forms} forms are too few to measure saves with`);
  const bodies: Values[] = [];
  for (const { id } of rows) {
    const { form } = await askJson(product, { method: "GET", path: `/api/forms/${id}` });
    bodies.push(asBody({ ...form, lockVersion: undefined }) as Values);
  }
  const { userId } = await askJson(product, { method: "GET", path: "/api/me" });
  const each = Math.floor(rows.length / CONNECTIONS);
  const at = (n: number, connection: number) => connection * each + (n % each);
  let made = 0;
  return {
    userId: Number(userId),
    id: (n: number, connection: number) => Number(rows[at(n, connection)]?.id),
    /** A save that changes a text, and the minutes of every row. */
    changed: (n: number, connection: number) => {
      made += 1;
      return { form: changed(bodies[at(n, connection)] ?? {}, made) };
    },
    /** A save that changes nothing, from its second time on. */
    unchanged: (n: number, connection: number) => ({ form: changed(bodies[at(n, connection)] ?? {}, 0) }),
    /** The same form as a new one. */
    fresh: (n: number, connection: number) => ({ form: withoutIds(bodies[at(n, connection)] ?? {}) }),
    key: () => randomUUID(),
  };
}

function changed(body: Values, n: number): Values {
  const services = body.serviceEntryAttributes as Values;
  const provided = services.serviceProvidedEntriesAttributes as Values[];
  return {
    ...body,
    serviceEntryAttributes: {
      ...services,
      otherService: `Letter ${n}`,
      serviceProvidedEntriesAttributes: provided.map((row) => ({ ...row, minutes: 5 + (n % 60) })),
    },
  };
}

const NESTED = /(Entry|Entries|^intakeForm)$/;

/** An answer as a body takes it: nested parts under `…Attributes` (contract §1). */
function asBody(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asBody);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      NESTED.test(key) && typeof inner !== "boolean" ? `${key}Attributes` : key,
      asBody(inner),
    ]),
  );
}

function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (key === "id" ? [] : [[key, withoutIds(inner)]])),
  );
}
