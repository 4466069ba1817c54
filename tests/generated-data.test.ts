import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { clientSchema } from "@/lib/clients/schema";
import { rows } from "@/lib/core/database/client";
import { toWire } from "@/lib/core/fields/wire";
import { sql } from "@/lib/core/sql";
import { fillDatabase, generatedUser } from "@/lib/dev/data/fill";
import { formSchema } from "@/lib/forms/schema";
import { call, signIn } from "@/tests/call";
import { runWithoutTimeout } from "@/tests/direct";

// The benchmark's generated data (lib/dev/data) must equal records that the product would have stored.

const FORMS = 600;
const url = () => String(process.env.DATABASE_URL);

const shape = () =>
  rows<{ line: string }>(
    sql`SELECT indexdef AS line FROM pg_indexes WHERE schemaname = 'public' UNION ALL
     SELECT conrelid::regclass || ' ' || conname || ' ' || convalidated || ' ' || pg_get_constraintdef(oid)
     FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY line`,
  );
const fingerprint = async () => {
  const all = await rows(
    sql`SELECT to_jsonb(t) AS row FROM forms t UNION ALL SELECT to_jsonb(t) FROM service_provided_entries t
     UNION ALL SELECT to_jsonb(t) FROM clients t ORDER BY row`,
  );
  return createHash("sha256").update(JSON.stringify(all)).digest("hex");
};

describe("generated records", () => {
  let before: unknown;
  let cookie: string;

  beforeAll(async () => {
    before = await shape();
    await fillDatabase(url(), { forms: FORMS });
    const [administrator] = await rows<{ id: number }>(
      sql`SELECT id FROM users WHERE email = ${generatedUser(1)}`,
    );
    cookie = await signIn({ id: Number(administrator?.id) });
  });

  it("leave every index and constraint as the migrations created it", async () => {
    expect(await shape()).toEqual(before);
  });

  it("have the promised counts and are spread unevenly", async () => {
    const [counts] = await rows<Record<string, number>>(
      sql`SELECT (SELECT count(*) FROM forms)::int AS forms, (SELECT count(*) FROM clients)::int AS clients,
         (SELECT count(*) FROM users)::int AS users, (SELECT count(DISTINCT form_type_id) FROM forms)::int AS types,
         (SELECT count(*) FROM service_provided_entries)::float8 / (SELECT count(*) FROM forms) AS rows_a_form,
         (SELECT count(*) FROM forms WHERE reconciled)::float8 / (SELECT count(*) FROM forms) AS reconciled,
         (SELECT max(n) FROM (SELECT count(*)::int AS n FROM forms GROUP BY user_id) AS u) AS most_of_a_user,
         (SELECT count(*)::int FROM forms WHERE returned_at IS NOT NULL) AS returned`,
    );
    expect(counts).toMatchObject({ forms: FORMS, clients: FORMS * 0.15, users: 48, types: 5 });
    expect(counts?.rows_a_form).toBeCloseTo(3.7, 0);
    expect(counts?.reconciled).toBeCloseTo(0.9, 1);
    expect(counts?.most_of_a_user).toBeGreaterThan((2 * FORMS) / 48);
    const { body } = await call(cookie, "GET", "/api/forms?filters[returned]=true");
    expect(body.meta.totalCount).toBe(counts?.returned);
    expect(counts?.returned).toBeGreaterThan(0);
  });

  it("can be saved unchanged through the API, and read the same afterwards", async () => {
    const strip = ({ lockVersion, updatedAt, ...form }: Record<string, unknown>) => form;
    for (let id = 1; id <= FORMS; id += 40) {
      const { form } = (await call(cookie, "GET", `/api/forms/${id}`)).body;
      const saved = await call(cookie, "PUT", `/api/forms/${id}`, { form: toWire(formSchema, form) });
      expect(saved.body.fields, `form ${id}`).toBeUndefined();
      const again = (await call(cookie, "GET", `/api/forms/${id}`)).body.form;
      expect(strip(again)).toEqual(strip(form));
    }
    for (let id = 1; id <= FORMS * 0.15; id += 12) {
      const { client } = (await call(cookie, "GET", `/api/clients/${id}`)).body;
      const saved = await call(cookie, "PUT", `/api/clients/${id}`, { client: toWire(clientSchema, client) });
      expect(saved.body.fields, `client ${id}`).toBeUndefined();
      expect(strip(saved.body.client)).toEqual(strip(client));
    }
  });

  it("are followed by the ids of records that people add", async () => {
    const made = await call(cookie, "POST", "/api/clients", { client: { name: "Somebody New" } });
    expect(made.status).toBe(201);
    expect(made.body.client.id).toBeGreaterThan(FORMS * 0.15);
  });

  it("are never added to a database that already holds clients", async () => {
    await expect(fillDatabase(url(), { forms: 10 })).rejects.toThrow("nothing was added");
  });

  it("are the same for the same seed, and different for another", async () => {
    const fingerprints: string[] = [];
    for (const seed of [1, 1, 2]) {
      await runWithoutTimeout("TRUNCATE forms, clients, users CASCADE");
      await rows(sql`ALTER SEQUENCE users_id_seq RESTART`);
      await fillDatabase(url(), { forms: 60, seed });
      fingerprints.push(await fingerprint());
    }
    expect(fingerprints[1]).toBe(fingerprints[0]);
    expect(fingerprints[2]).not.toBe(fingerprints[0]);
  });
});
