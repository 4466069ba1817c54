import type pg from "pg";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { pageQuery } from "@/lib/core/api/list-query";
import { listPool, pool, rows } from "@/lib/core/database/client";
import { readNeighbors } from "@/lib/core/database/list";
import { identifier, sql } from "@/lib/core/sql";
import { formListQuery } from "@/lib/forms/api-schema";
import { formsList } from "@/lib/forms/list";
import { actorFor, call } from "@/tests/call";
import { bypassPooler, runWithoutTimeout } from "@/tests/direct";
import { makeClient, makeForm, makeUser, type Person } from "@/tests/factories";

// Lists larger than any that tests create through the API: 12,000 clients and 24,000 forms with repeating
// names, days and advocates.

const CLIENTS = 12_000;
const FORMS = 24_000;

let supervisor: Person;
let advocates: Person[];

beforeAll(async () => {
  supervisor = await makeUser(["forms", "clients", "all-forms"]);
  advocates = [];
  for (let n = 0; n < 3; n++) advocates.push(await makeUser());
  // Two advocates with the same name, whose forms must not mix.
  await rows(
    sql`UPDATE users SET first_name = 'Same', last_name = 'Name' WHERE id = ANY(${advocates.slice(0, 2).map(({ id }) => id)})`,
  );
  const ids = advocates.map(({ id }) => id);
  await runWithoutTimeout(
    `INSERT INTO clients (name, created_on, user_id, updated_at)
     SELECT (ARRAY['Ana', 'José', 'Mary-Ann', 'Zoë', 'Quentin', 'O’Brien'])[1 + n % 6] || ' ' || chr(65 + n % 26) || (n % 500) || ' Lee',
       DATE '2026-01-01' + n % 90, ($1::int[])[1 + n % 3], now() FROM generate_series(1, ${CLIENTS}) n`,
    [ids],
  );
  await runWithoutTimeout(
    `INSERT INTO forms (client_id, form_type_id, service_on, service_status, verbal_confirmation, reconciled, user_id, updated_at)
     SELECT c.id, t.id, DATE '2026-01-01' + n % 200, (ARRAY['Served', 'Partially Served', 'Not Served'])[1 + n % 3],
       true, n % 2 = 0, ($1::int[])[1 + n % 7 % 3], now()
     FROM generate_series(1, ${FORMS}) n
       JOIN (SELECT id, row_number() OVER (ORDER BY id) AS at FROM clients) c ON c.at = 1 + n * 7 % ${CLIENTS}
       JOIN (SELECT id, row_number() OVER (ORDER BY id) AS at FROM form_types) t ON t.at = 1 + n % 5`,
    [ids],
  );
  await runWithoutTimeout("ANALYZE");
});

type Meta = { totalCount: number; totalPages: number; totalCountIsExact: boolean; pageNumbers: number[] };

async function read(list: "forms" | "clients", query: string, as = supervisor) {
  const { status, body } = await call(as.cookie, "GET", `/api/${list}?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  const found: { id: number }[] = body[list];
  return { ids: found.map(({ id }) => id), meta: body.meta as Meta };
}

/** Returns all ids in the order of the column, sorted by a plain PostgreSQL query. */
const allIds = async (list: "forms" | "clients", by: string, where = "true") =>
  (
    await pool().query<{ id: number }>(
      `SELECT r.id FROM ${list} r JOIN users u ON u.id = r.user_id
       ${list === "forms" ? "JOIN clients c ON c.id = r.client_id JOIN form_types t ON t.id = r.form_type_id" : ""}
       WHERE ${where} ORDER BY ${by}, r.id`,
    )
  ).rows.map(({ id }) => id);

const ADVOCATE = "lower(u.first_name || ' ' || u.last_name), u.id";
const ORDERS = [
  ["forms", "client", "c.name_folded, r.service_on"],
  ["forms", "advocate", `${ADVOCATE}, r.service_on`],
  ["forms", "formType", "t.name, r.service_on"],
  ["forms", "serviceStatus", "r.service_status, r.service_on"],
  ["forms", "serviceOn", "r.service_on"],
  ["clients", "name", "r.name_folded"],
  ["clients", "advocate", ADVOCATE],
  ["clients", "createdOn", "r.created_on"],
] as const;

describe.each(ORDERS)("the list of %s by %s", (list, sort, by) => {
  test.each(["asc", "desc"])(
    "%s has the same order on near and far pages, by number and after the last row shown, without overlap",
    async (order) => {
      const filter = list === "forms" ? "&filters[formStatus]=reconciled" : "";
      const all = await allIds(list, by, list === "forms" ? "r.reconciled" : "true");
      if (order === "desc") all.reverse();
      // The last near pages, the first far ones, some on both sides of the middle, the end and past it.
      for (const page of [1, 2, 60, 61, 99, 100, 101, 102, 119, 120, 121]) {
        const query = `sort=${sort}&order=${order}&perPage=100&page=${page}${filter}`;
        const expected = all.slice((page - 1) * 100, page * 100);
        expect((await read(list, query)).ids, `page ${page}`).toEqual(expected);
        if (page === 1) continue;
        const { ids } = await read(list, `${query}&after=${all[(page - 1) * 100 - 1]}`);
        expect(ids, `page ${page} after the one before`).toEqual(expected);
      }
    },
  );

  test("has the same order for one advocate", async () => {
    const { id } = advocates[1] as Person;
    const filter = `filters[userId]=${id}${list === "forms" ? "&filters[formStatus]=reconciled" : ""}`;
    const all = await allIds(list, by, `r.user_id = ${id}${list === "forms" ? " AND r.reconciled" : ""}`);
    for (const [order, ids] of [
      ["asc", all],
      ["desc", all.toReversed()],
    ] as const) {
      for (const page of [1, 3, Math.ceil(all.length / 100)]) {
        const found = await read(list, `sort=${sort}&order=${order}&perPage=100&page=${page}&${filter}`);
        expect(found.ids, `${order}, page ${page}`).toEqual(ids.slice((page - 1) * 100, page * 100));
      }
    }
  });
});

describe("the list of forms with filters", () => {
  const STATUSES = { unreconciled: "NOT r.reconciled", reconciled: "r.reconciled", all: "true" };

  /** Returns filters, each with its SQL condition. The first two match more rows than the count limit. */
  async function filters(): Promise<[string, string][]> {
    const [row] = await rows<{ type: number; client: number }>(
      sql`SELECT (SELECT min(id) FROM form_types) AS type,
         (SELECT client_id FROM forms WHERE reconciled GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1) AS client`,
    );
    const { type, client } = row ?? {};
    const { id } = advocates[2] as Person;
    const days = (from: string, to: string) => `r.service_on BETWEEN '${from}' AND '${to}'`;
    return [
      ["", "true"],
      ["filters[from]=2026-01-03", "r.service_on >= '2026-01-03'"],
      ["filters[from]=2026-03-01&filters[to]=03/31/2026", days("2026-03-01", "2026-03-31")],
      ["filters[to]=2026-01-04", "r.service_on <= '2026-01-04'"],
      [`filters[formTypeId]=${type}`, `r.form_type_id = ${type}`],
      ["filters[serviceStatus]=Partially Served", "r.service_status = 'Partially Served'"],
      [`filters[clientId]=${client}`, `r.client_id = ${client}`],
      [
        `filters[clientId]=${client}&filters[to]=2026-05-01`,
        `r.client_id = ${client} AND r.service_on <= '2026-05-01'`,
      ],
      [
        `filters[userId]=${id}&filters[formTypeId]=${type}&filters[serviceStatus]=Served&filters[from]=2026-02-01&filters[to]=2026-02-28`,
        `r.user_id = ${id} AND r.form_type_id = ${type} AND r.service_status = 'Served' AND ${days("2026-02-01", "2026-02-28")}`,
      ],
    ];
  }

  test.each(ORDERS.filter(([list]) => list === "forms"))(
    "%s by %s contains the matching rows in the same order, near and far",
    async (list, sort, by) => {
      for (const [status, ofStatus] of Object.entries(STATUSES))
        for (const [filter, condition] of await filters()) {
          const all = await allIds(list, by, `${ofStatus} AND ${condition}`);
          for (const [order, ids] of [
            ["asc", all],
            ["desc", all.toReversed()],
          ] as const)
            for (const page of new Set([1, 2, 101, Math.max(1, Math.ceil(all.length / 100))])) {
              const before = ids[(page - 1) * 100 - 1] ?? "";
              const query = `sort=${sort}&order=${order}&perPage=100&page=${page}${before && `&after=${before}`}&filters[formStatus]=${status}&${filter}`;
              const found = await read(list, query);
              expect(found.ids, query).toEqual(ids.slice((page - 1) * 100, page * 100));
              const isExact = all.length <= 10_000 || page > 100;
              expect(found.meta, query).toMatchObject({
                totalCount: isExact ? all.length : 10_000,
                totalCountIsExact: isExact,
              });
            }
        }
    },
  );

  test("searches for a name within the filters", async () => {
    for (const [filter, condition] of await filters()) {
      const all = await allIds("forms", "r.service_on", `${condition} AND c.name_folded LIKE '%ana%'`);
      for (const sort of ["serviceOn", "client"]) {
        const query = `search=ana&sort=${sort}&perPage=100&filters[formStatus]=all&${filter}`;
        const { ids, meta } = await read("forms", query);
        expect(meta.totalCount, query).toBe(all.length);
        expect(
          ids.every((id) => all.includes(id)),
          query,
        ).toBe(true);
        if (sort === "serviceOn") expect(ids, query).toEqual(all.slice(0, 100));
      }
    }
  });

  test.each([
    ["filters[from]=2026-02-01", sql`service_on >= '2026-02-01'`],
    ["filters[serviceStatus]=Served", sql`service_status = 'Served'`],
  ])("of an advocate contains only the advocate's own forms: %s", async (filter, condition) => {
    const [advocate] = advocates as [Person];
    const { meta } = await read("forms", `filters[formStatus]=all&${filter}`, advocate);
    const [row] = await rows<{ own: number }>(
      sql`SELECT count(*)::int AS own FROM forms WHERE user_id = ${advocate.id} AND ${condition}`,
    );
    expect(meta.totalCount).toBe(row?.own);
    expect(meta.totalCount).toBeGreaterThan(0);
  });
});

describe("the count of a list", () => {
  test("stops at 10,000, and is exact on a page past that", async () => {
    expect((await read("clients", "perPage=25")).meta).toMatchObject({
      totalCount: 10_000,
      totalPages: 400,
      totalCountIsExact: false,
    });
    expect((await read("clients", "perPage=25&page=400")).meta).toMatchObject({
      totalCount: 10_000,
      totalPages: 400,
      totalCountIsExact: false,
    });
    expect((await read("clients", "perPage=25&page=401")).meta).toMatchObject({
      totalCount: CLIENTS,
      totalPages: 480,
      totalCountIsExact: true,
    });
    const past = await read("clients", "perPage=25&page=481");
    expect(past.ids).toEqual([]);
    expect(past.meta).toMatchObject({ totalCount: CLIENTS, totalCountIsExact: true, totalPages: 480 });
  });

  test("is exact up to that number", async () => {
    const { meta } = await read("clients", `filters[userId]=${advocates[0]?.id}`);
    expect(meta).toMatchObject({ totalCount: 4_000, totalPages: 160, totalCountIsExact: true });
  });

  test("stops at 10,000 for a search as well", async () => {
    for (const search of ["lee", "e"]) {
      const common = await read("clients", `search=${search}&sort=name`);
      expect(common.meta).toMatchObject({ totalCount: 10_000, totalCountIsExact: false });
      const all = await allIds("clients", "r.name_folded", `r.name_folded LIKE '%${search}%'`);
      expect(common.ids).toEqual(all.slice(0, 25));
      const far = await read("clients", `search=${search}&sort=name&page=401`);
      expect(far.meta).toMatchObject({ totalCount: all.length, totalCountIsExact: true });
      expect(far.ids).toEqual(all.slice(10_000, 10_025));
    }
  });
});

describe("the previous and next form", () => {
  test.each(ORDERS.filter(([list]) => list === "forms"))(
    "%s by %s are those of the list",
    async (_, sort, by) => {
      const actor = await actorFor(supervisor);
      const groups = new Map(
        (
          await rows<{ id: number; of: string }>(
            sql`SELECT id, user_id || ' ' || form_type_id AS of FROM forms`,
          )
        ).map(({ id, of }) => [id, of]),
      );
      for (const [formStatus, condition] of [
        ["reconciled", "r.reconciled"],
        ["all", "true"],
      ])
        for (const order of ["asc", "desc"]) {
          const ids = await allIds("forms", by, condition);
          if (order === "desc") ids.reverse();
          const query = pageQuery(formListQuery, { sort, order, "filters[formStatus]": formStatus });
          // Both ends, some ids between, and the starts of another advocate or type.
          const begins = ids.findIndex((id, at) => at > 0 && groups.get(id) !== groups.get(ids[at - 1] ?? 0));
          for (const at of [0, 1, begins - 1, begins, 5_000, 11_111, ids.length - 1])
            expect(
              await readNeighbors(formsList(actor, query), query, ids[at] ?? 0),
              `${formStatus} ${order} ${at}`,
            ).toEqual({ previous: ids[at - 1] ?? null, next: ids[at + 1] ?? null });
        }
    },
  );
});

describe("a list's name search", () => {
  let owner: Person;
  const NAMES = [
    ...["Lucía Jiménez", "Xavier O'Hara-Quix", "100% sure", "under_score", "Þóra Wójcik"],
    ...["Đurđa Q. Qłodz", "½ Qoté (old)"],
  ];

  beforeAll(async () => {
    owner = await makeUser(["forms", "clients"]);
    for (const name of NAMES) await makeForm(owner, {}, (await makeClient(owner, { name })).id);
  });

  const searchNames = async (list: "forms" | "clients", query: string) => {
    const { body } = await call(supervisor.cookie, "GET", `/api/${list}?${query}`);
    const names: string[] = body[list].map((row: { name?: string; client?: { name: string } }) =>
      list === "clients" ? row.name : row.client?.name,
    );
    return { names, meta: body.meta as Meta };
  };

  test.each([
    ["jimenez", ["Lucía Jiménez"]],
    ["JIMÉNEZ", ["Lucía Jiménez"]],
    ["a jim", ["Lucía Jiménez"]],
    ["ohara", ["Xavier O'Hara-Quix"]],
    ["o’hara quix", ["Xavier O'Hara-Quix"]],
    ["ix", ["Xavier O'Hara-Quix"]],
    ["þ", ["Þóra Wójcik"]],
    ["a wo", ["Þóra Wójcik"]],
    ["jiménez lucia", ["Lucía Jiménez"]],
    ["Wojcik, Thora", ["Þóra Wójcik"]],
    ["xavier quix", ["Xavier O'Hara-Quix"]],
    ["quix xa", ["Xavier O'Hara-Quix"]],
    ["quix x", ["Xavier O'Hara-Quix"]],
    ["quix vier", ["Xavier O'Hara-Quix"]],
    ["quix i", []],
    ["lucia jimenez lopez", []],
    ["lucia\tjimenez", ["Lucía Jiménez"]],
    ["\u2068Lucía\u00a0 Jiménez\u2069", ["Lucía Jiménez"]],
    ["durda qlodz", ["Đurđa Q. Qłodz"]],
    ["Đurđa Q. Qłodz", ["Đurđa Q. Qłodz"]],
    ["½ Qoté (old)", ["½ Qoté (old)"]],
    ["old (qote", ["½ Qoté (old)"]],
    ["[old] qote", []],
    ["qx", []],
    ["qqzzxx", []],
    ["100%", ["100% sure"]],
    ["%", ["100% sure"]],
    ["r_s", ["under_score"]],
    ["\\", []],
    ["🕊️", []],
  ])("for %j finds %j, in all lists and for one advocate", async (search, names) => {
    for (const list of ["clients", "forms"] as const)
      for (const sort of list === "clients" ? ["name", "advocate"] : ["client", "advocate", "serviceOn"])
        for (const filter of ["", `&filters[userId]=${owner.id}`]) {
          const query = `search=${encodeURIComponent(search)}&sort=${sort}${filter}`;
          const answer = await searchNames(list, query);
          expect(answer.names, `${list}?${query}`).toEqual(names);
          expect(answer.meta).toMatchObject({ totalCount: names.length, totalCountIsExact: true });
        }
  });

  test.each(["ann", "nn", "e", "bri"])(
    "for %j finds the same forms in every order, however common the name",
    async (search) => {
      for (const [list, sort, by] of ORDERS)
        for (const filter of [null, advocates[2]?.id]) {
          const name = list === "forms" ? "c.name_folded" : "r.name_folded";
          const where = `${name} LIKE '%${search}%' ${filter ? `AND r.user_id = ${filter}` : ""}`;
          const all = await allIds(list, by, list === "forms" ? `${where} AND NOT r.reconciled` : where);
          const query = `search=${search}&sort=${sort}&perPage=10${filter ? `&filters[userId]=${filter}` : ""}`;
          for (const page of [1, 3]) {
            const { ids, meta } = await read(list, `${query}&page=${page}`);
            expect(ids, `${list}?${query}&page=${page}`).toEqual(all.slice((page - 1) * 10, page * 10));
            expect(meta.totalCount).toBe(Math.min(all.length, 10_000));
          }
        }
    },
  );

  test("finds forms under their client's new name", async () => {
    const form = await makeForm(owner);
    await call(owner.cookie, "PUT", `/api/clients/${form.clientId}`, {
      client: { name: "Wilhelmina Zygmunt" },
    });
    const { ids } = await read("forms", "search=zygmunt");
    expect(ids).toEqual([form.id]);
    const other = await makeClient(owner, { name: "Zacharias Zygmunt" });
    await call(owner.cookie, "PUT", `/api/forms/${form.id}`, { form: { ...form, clientId: other.id } });
    expect((await searchNames("forms", "search=zygmunt")).names).toEqual(["Zacharias Zygmunt"]);
  });
});

describe("the way PostgreSQL reads a list", () => {
  // Behind a pooler, statements are not named.
  beforeAll(bypassPooler);

  /**
   * Returns the plan of the last statement that `list` ran, with sorting made expensive, as it is with many
   * rows.
   */
  async function planOf(list: () => Promise<unknown>): Promise<string> {
    const client = await listPool().connect();
    const query = vi.spyOn(client, "query");
    client.release();
    await list();
    const [{ text }] = query.mock.calls.at(-1) as unknown as [pg.QueryConfig];
    query.mockRestore();
    await client.query("SET enable_seqscan = off; SET enable_sort = off; SET enable_bitmapscan = off");
    const { rows } = await client.query(`EXPLAIN (GENERIC_PLAN) ${text}`);
    await client.query("RESET ALL");
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  }

  // Index names of forms end with the list's sort column.
  const PLANS: [list: string, sort: string, index: string, own: string][] = [
    ["forms", "client", "forms_unreconciled_by_client", "forms_unreconciled_by_client"],
    ["forms", "serviceStatus", "forms_unreconciled_by_status", "forms_unreconciled_by_status"],
    ["forms", "serviceOn", "forms_unreconciled_by_day", "forms_of_user"],
    ["clients", "name", "clients_name_folded_id_idx", "clients_user_id_name_folded_id_idx"],
    ["clients", "createdOn", "clients_created_on_id_idx", "clients_user_id_created_on_id_idx"],
  ];

  test.each(PLANS)("scans %s by %s with an index in that order", async (list, sort, all, own) => {
    for (const [filter, index] of [
      ["", all],
      [`filters[userId]=${advocates[0]?.id}`, own],
    ])
      for (const order of ["asc", "desc"]) {
        const query = `sort=${sort}&order=${order}&page=2&${filter}`;
        const plan = await planOf(() => call(supervisor.cookie, "GET", `/api/${list}?${query}`));
        expect(plan, query).toMatch(new RegExp(`Index Only Scan (Backward )?using ${index}`));
        expect(plan, query).not.toMatch(/Sort Key: .*(\bf|\bc)\./);
      }
  });

  test.each(PLANS)("starts the page of %s by %s after a row in that index", async (list, sort, index) => {
    const [row] = await rows<{ id: number }>(sql`SELECT max(id) AS id FROM ${identifier(list)}`);
    for (const order of ["asc", "desc"]) {
      const query = `sort=${sort}&order=${order}&page=2&after=${row?.id}`;
      const plan = await planOf(() => call(supervisor.cookie, "GET", `/api/${list}?${query}`));
      expect(plan, query).toMatch(new RegExp(`using ${index}.*\\n +Index Cond: .*ROW`));
    }
  });

  test("scans an advocate's own list with that advocate's index", async () => {
    const plan = await planOf(() => call(advocates[0]?.cookie ?? "", "GET", "/api/forms"));
    expect(plan).toContain("Backward using forms_of_user");
  });

  test.each(["filters[formTypeId]=1", "sort=formType&order=desc", "sort=formType&order=asc"])(
    "reads each type's forms with an index in the order of days: %s",
    async (query) => {
      const url = `/api/forms?filters[formStatus]=all&${query}`;
      const plan = await planOf(() => call(supervisor.cookie, "GET", url));
      expect(plan).toMatch(/Index Only Scan (Backward )?using forms_of_type/);
    },
  );

  test("uses few distinct SQL texts, whatever callers send", async () => {
    const client = await listPool().connect();
    const query = vi.spyOn(client, "query");
    client.release();
    for (const page of [2, 3, 17])
      for (const perPage of [5, 25, 77])
        for (const who of advocates)
          await call(
            supervisor.cookie,
            "GET",
            `/api/forms?page=${page}&perPage=${perPage}&filters[userId]=${who.id}`,
          );
    const sent = query.mock.calls.map(([config]) => config as unknown as { text: string });
    query.mockRestore();
    expect(new Set(sent.map(({ text }) => text)).size).toBe(1);
  });
});

test("the client dropdown offers the first 1,000 by name, with a note that there are more", async () => {
  const { body } = await call(supervisor.cookie, "GET", "/api/resource_lists/clients");
  expect(body.meta).toEqual({ truncated: true });
  expect(body.clients.map(({ id }: { id: number }) => id)).toEqual(
    (await allIds("clients", "r.name_folded")).slice(0, 1_000),
  );
});

test("without All Forms a list counts and finds only the advocate's own forms", async () => {
  const [advocate] = advocates as [Person];
  const [row] = await rows<{ own: number }>(
    sql`SELECT count(*)::int AS own FROM forms WHERE user_id = ${advocate.id} AND NOT reconciled`,
  );
  for (const query of ["", "search=a"]) {
    const { meta, ids } = await read("forms", `perPage=100&${query}`, advocate);
    if (!query) expect(meta.totalCount).toBe(row?.own);
    const owners = await rows<{ user_id: number }>(
      sql`SELECT DISTINCT user_id FROM forms WHERE id = ANY(${ids})`,
    );
    expect(owners).toEqual([{ user_id: advocate.id }]);
  }
  expect((await read("forms", `filters[userId]=${advocates[1]?.id}`, advocate)).meta.totalCount).toBe(0);
});

// This is last, because its changes leave gaps in the indexes, which may change PostgreSQL's plans.
describe("the page after the last row shown", () => {
  let owner: Person;
  /** The owner's forms in order of their days. */
  let forms: number[];
  /** Returns the second page of five forms by day: after a row, or by page number. */
  const second = async (after?: number) =>
    (await read("forms", `sort=serviceOn&perPage=5&page=2${after ? `&after=${after}` : ""}`, owner)).ids;

  beforeEach(async () => {
    owner = await makeUser();
    const first = await makeForm(owner, { serviceOn: "2026-03-02" });
    forms = [first.id];
    for (const day of ["03", "04", "05", "06", "07", "08", "09", "10", "11", "12"])
      forms.push((await makeForm(owner, { serviceOn: `2026-03-${day}` }, first.clientId)).id);
  });

  test("repeats no row if one was added before it, and skips none if some were deleted", async () => {
    const [first = 0, another = 0, , , last] = forms;
    await makeForm(owner, { serviceOn: "2026-03-01" });
    expect(await second()).toEqual(forms.slice(4, 9));
    expect(await second(last)).toEqual(forms.slice(5, 10));
    for (const id of [first, another]) await call(owner.cookie, "DELETE", `/api/forms/${id}`);
    expect(await second()).toEqual(forms.slice(6));
    expect(await second(last)).toEqual(forms.slice(5, 10));
  });

  test("is read by page number if that row has left the list or is its last", async () => {
    await call(owner.cookie, "DELETE", `/api/forms/${forms[4]}`);
    expect(await second(forms[4])).toEqual(forms.slice(6));
    expect(await second(forms.at(-1))).toEqual(forms.slice(6));
  });

  test("is read by page number in a search", async () => {
    const found = "sort=serviceOn&search=client&perPage=5&page=2";
    expect((await read("forms", `${found}&after=${forms[8]}`, owner)).ids).toEqual(forms.slice(5, 10));
  });

  test("is read by page number in an order with nulls", async () => {
    const admin = await makeUser(["users"]);
    await rows(sql`UPDATE users SET last_login_at = now() WHERE id = ANY(${advocates.map(({ id }) => id)})`);
    const users = async (query: string) =>
      (await call(admin.cookie, "GET", `/api/users?sort=lastLoginAt&perPage=2&${query}`)).body.users;
    const [first] = await users("page=1");
    expect(await users(`page=2&after=${first.id}`)).toEqual(await users("page=2"));
  });

  test("is complete at the end of a long list, even if rows before it have left the list", async () => {
    const all = await allIds("forms", "r.service_on", "r.reconciled");
    const ids = all.slice(0, 150);
    const last = Math.floor((all.length - 1) / 100) * 100;
    const query = `sort=serviceOn&perPage=100&page=${last / 100 + 1}&filters[formStatus]=reconciled`;
    await rows(sql`UPDATE forms SET reconciled = false WHERE id = ANY(${ids})`);
    try {
      expect((await read("forms", query)).ids).toEqual([]);
      expect((await read("forms", `${query}&after=${all[last - 1]}`)).ids).toEqual(all.slice(last));
    } finally {
      await rows(sql`UPDATE forms SET reconciled = true WHERE id = ANY(${ids})`);
    }
  });

  test("is read by page number if the caller may not see that row", async () => {
    const theirs = await makeForm(await makeUser(), { serviceOn: "2026-03-10" });
    expect(await second(theirs.id)).toEqual(forms.slice(5, 10));
  });
});
