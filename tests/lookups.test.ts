import { beforeAll, describe, expect, it } from "vitest";
import { PERMISSION_NAMES, type Permission, permissionKey } from "@/lib/core/access/permissions";
import { db, pool, rows } from "@/lib/core/database/client";
import { type FieldKind, fieldsOf } from "@/lib/core/fields/facts";
import { identifier, sql } from "@/lib/core/sql";
import {
  columnsOf,
  type Lookup,
  type LookupKey,
  lookupDone,
  lookupKeys,
  lookups,
} from "@/lib/lookups/registry";
import { type Answer, call } from "@/tests/call";
import { fullClient, fullForm, makeUser, type Person } from "@/tests/factories";

const ALL = PERMISSION_NAMES.map((name) => permissionKey(name) as Permission);

let sequence = 0;

/** Returns a valid record of the list that differs from every other. */
async function record(key: LookupKey): Promise<Record<string, unknown>> {
  sequence += 1;
  const roleId = (await db().role.findUniqueOrThrow({ where: { name: "Advocate" } })).id;
  const values: Partial<Record<FieldKind, unknown>> = {
    text: `Text ${sequence}`,
    longText: `**Long**\ntext ${sequence}`,
    email: `person${sequence}@example.org`,
    whole: sequence,
    money: sequence + 0.25,
    flag: true,
    count: sequence % 100,
    choice: "Safe home",
    lookup: roleId,
    lookups: [1, 2],
  };
  return Object.fromEntries(
    fieldsOf(lookups[key].schema).map(({ name, facts }) => [
      name,
      // A choice that may be blank is, because only one record may have some of its values.
      facts.kind === "choice" && facts.blank !== null ? facts.blank : values[facts.kind],
    ]),
  );
}

const wrap = (key: LookupKey, values: object) => ({ [lookups[key].singular]: values });

let admin: Person;

async function make(key: LookupKey, values: object = {}): Promise<{ id: number } & Record<string, unknown>> {
  const body = wrap(key, { ...(await record(key)), ...values });
  const answer = await call(admin.cookie, "POST", `/api/${key}`, body);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body[lookups[key].singular];
}

beforeAll(async () => {
  admin = await makeUser(ALL);
});

describe.each(lookupKeys)("%s", (key) => {
  const { singular, plural, permission, schema }: Lookup = lookups[key];
  const fields = fieldsOf(schema);
  const required = fields.filter(({ facts }) => facts.required).map(({ name }) => name);
  const unique = fields.find(({ facts }) => "unique" in facts && facts.unique);
  let without: Person;
  let holder: Person;
  let id: number;

  beforeAll(async () => {
    without = await makeUser(ALL.filter((other) => other !== permission));
    // Granting a role, or permissions in a role, needs those permissions.
    holder = await makeUser(["users", "roles"].includes(permission) ? ALL : [permission]);
    id = (await make(key)).id;
  });

  const calls: [string, number, () => Promise<(cookie: string | null) => Promise<Answer>>][] = [
    ["list", 200, async () => (cookie) => call(cookie, "GET", `/api/${key}`)],
    ["show", 200, async () => (cookie) => call(cookie, "GET", `/api/${key}/${id}`)],
    [
      "create",
      201,
      async () => {
        const body = wrap(key, await record(key));
        return (cookie) => call(cookie, "POST", `/api/${key}`, body);
      },
    ],
    [
      "update",
      200,
      async () => {
        const body = wrap(key, await record(key));
        return (cookie) => call(cookie, "PUT", `/api/${key}/${id}`, body);
      },
    ],
    ["delete", 204, async () => (cookie) => call(cookie, "DELETE", `/api/${key}/${id}`)],
  ];

  it.each(calls)(
    "answers %s with 401 to a guest, 403 without the permission, and %i with it",
    async (_name, status, prepare) => {
      const send = await prepare();
      const before = await rows(sql`SELECT * FROM ${identifier(key)} ORDER BY id`);
      const guest = await send(null);
      expect([guest.status, guest.body]).toEqual([
        401,
        { error: "Unauthorized Request", code: "unauthorized" },
      ]);
      const refused = await send(without.cookie);
      expect([refused.status, refused.body]).toEqual([
        403,
        { error: "You do not have permission to do that.", code: "forbidden" },
      ]);
      expect(await rows(sql`SELECT * FROM ${identifier(key)} ORDER BY id`)).toEqual(before);
      expect((await send(holder.cookie)).status).toBe(status);
    },
  );

  it("stores, returns and changes every field, and deletes the record", async () => {
    const first = await record(key);
    const created = await call(admin.cookie, "POST", `/api/${key}`, wrap(key, first));
    const { [singular]: item } = created.body;
    expect(item).toMatchObject(first);
    expect((await call(admin.cookie, "GET", `/api/${key}/${item.id}`)).body).toEqual({ [singular]: item });
    const second = await record(key);
    const updated = await call(admin.cookie, "PUT", `/api/${key}/${item.id}`, wrap(key, second));
    expect(updated.body[singular]).toMatchObject({ ...second, id: item.id });
    const list = await call(admin.cookie, "GET", `/api/${key}?perPage=100`);
    expect(list.body[plural].find((row: { id: number }) => row.id === item.id)).toEqual(
      updated.body[singular],
    );
    const removed = await call(admin.cookie, "DELETE", `/api/${key}/${item.id}`);
    expect([removed.status, removed.body]).toEqual([204, null]);
    for (const method of ["GET", "DELETE"] as const) {
      expect((await call(admin.cookie, method, `/api/${key}/${item.id}`)).status).toBe(404);
    }
    expect((await call(admin.cookie, "PUT", `/api/${key}/${item.id}`, wrap(key, second))).status).toBe(404);
  });

  it("refuses a record without its required fields, names each and stores nothing", async () => {
    const [before] = await rows(sql`SELECT count(*) FROM ${identifier(key)}`);
    for (const value of [undefined, null, "", "  "]) {
      const blank = Object.fromEntries(required.map((name) => [name, value]));
      const { status, body } = await call(admin.cookie, "POST", `/api/${key}`, wrap(key, blank));
      expect(status).toBe(422);
      expect(Object.keys(body.fields).sort()).toEqual(required.map((name) => `${singular}.${name}`).sort());
    }
    for (const body of [{}, { [singular]: null }, { [singular]: [] }, { [singular]: "x" }, []]) {
      expect((await call(admin.cookie, "POST", `/api/${key}`, body)).status).toBe(422);
    }
    expect(await rows(sql`SELECT count(*) FROM ${identifier(key)}`)).toEqual([before]);
  });

  it("refuses values out of range, of the wrong type or not storable, and names the field", async () => {
    const bad: Partial<Record<FieldKind, unknown[]>> = {
      text: ["x".repeat(256), 5, {}, ["a"], "a\0b", "\ud800"],
      longText: ["x".repeat(10_001), 5, "a\0b"],
      email: ["nobody", "a@b", `${"x".repeat(250)}@example.org`, "a b@example.org"],
      whole: [2_147_483_648, 1.5, "7", true],
      money: [-0.01, 1.005, 10_000_000_000, "7", false],
      flag: ["true", 1],
      count: [1_000, 1.5, "7", true],
      choice: ["Castle", 5, "in-house"],
      lookup: [0, -1, 1.5, 2_147_483_648, "1", 2_147_483_647],
      lookups: [[2_147_483_647], ["1"], [1.5], "1", { 0: 1 }],
    };
    for (const { name, facts } of fields) {
      for (const value of [...(bad[facts.kind] ?? []), ...("min" in facts && facts.min === 0 ? [-1] : [])]) {
        const { status, body } = await call(
          admin.cookie,
          "PUT",
          `/api/${key}/${(await make(key)).id}`,
          wrap(key, { ...(await record(key)), [name]: value }),
        );
        expect(status, `${name} ${JSON.stringify(value)}`).toBe(422);
        expect(Object.keys(body.fields).join(), JSON.stringify(value)).toContain(`${singular}.${name}`);
      }
    }
  });

  it("keeps names unique without regard to case, even under concurrent creation", async () => {
    const value = unique?.facts.kind === "email" ? "Some.One@Example.org" : "Some One";
    const values = async (text: string) =>
      wrap(key, { ...(await record(key)), [String(unique?.name)]: text });
    const takenError = { [`${singular}.${unique?.name}`]: `${unique?.facts.label} is already taken` };
    const racing = await Promise.all(
      [value, value.toLowerCase(), value.toUpperCase(), ` ${value} `].map(async (text) =>
        call(admin.cookie, "POST", `/api/${key}`, await values(text)),
      ),
    );
    expect(racing.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422]);
    for (const { status, body } of racing) if (status === 422) expect(body.fields).toEqual(takenError);
    const other = await make(key);
    const update = await call(
      admin.cookie,
      "PUT",
      `/api/${key}/${other.id}`,
      await values(value.toUpperCase()),
    );
    expect([update.status, update.body.fields]).toEqual([422, takenError]);
  });

  // An email address is ASCII, so only its case can differ.
  const isFolded = unique?.facts.kind === "text";

  if (isFolded) {
    it("keeps names unique after Unicode NFKC, full case folding and removal of invisible characters", async () => {
      const name = String(unique?.name);
      const send = async (method: "POST" | "PUT", text: string, id?: number) =>
        call(
          admin.cookie,
          method,
          id ? `/api/${key}/${id}` : `/api/${key}`,
          wrap(key, { ...(await record(key)), [name]: text }),
        );
      const racing = await Promise.all(["Weiß ﬁne Σας", "WEISS FINE ΣΑΣ"].map((text) => send("POST", text)));
      expect(racing.map(({ status }) => status).sort()).toEqual([201, 422]);
      const other = await make(key);
      for (const text of ["ＷＥＩẞ fine σασ", "We\u00adiss\u200d fine\u200b ςας", "weiss ﬁne ΣΑς"]) {
        for (const answer of [await send("POST", text), await send("PUT", text, other.id)]) {
          expect([answer.status, Object.keys(answer.body.fields ?? {})], text).toEqual([
            422,
            [`${singular}.${name}`],
          ]);
        }
      }
      expect((await send("PUT", "Weıss fine Σας", other.id)).status).toBe(200);
    });

    it("keeps existing duplicates, which can be saved, but accepts no further ones", async () => {
      const name = String(unique?.name);
      const values = async (text: string) => wrap(key, { ...(await record(key)), [name]: text });
      const put = async (id: number, text: string) =>
        (await call(admin.cookie, "PUT", `/api/${key}/${id}`, await values(text))).status;
      const first = await make(key);
      const second = await make(key);
      await rows(
        sql`UPDATE ${identifier(key)} SET ${identifier(name)} = CASE id WHEN ${first.id} THEN 'Straße' ELSE 'Strasse' END
         WHERE id = ANY(${[first.id, second.id]})`,
      );
      expect([await put(first.id, "Straße"), await put(second.id, "STRASSE")]).toEqual([200, 200]);
      expect((await call(admin.cookie, "POST", `/api/${key}`, await values("ＳＴＲＡＳＳＥ"))).status).toBe(
        422,
      );
      expect([await put(second.id, "Another street"), await put(second.id, "Strasse")]).toEqual([200, 422]);
    });
  }

  it("stores nothing that is not a field", async () => {
    const { id: existingId } = await make(key);
    const values = {
      ...(await record(key)),
      id: 999_999,
      createdAt: "2001-01-01",
      formerFlags: ["survivorEntry"],
      passwordHash: "x",
    };
    const { body } = await call(admin.cookie, "PUT", `/api/${key}/${existingId}`, wrap(key, values));
    expect(body[singular]).toMatchObject({ id: existingId });
    const [row] = await rows<Record<string, unknown>>(
      sql`SELECT * FROM ${identifier(key)} WHERE id = ${existingId}`,
    );
    expect(Number(row?.created_at)).toBeGreaterThan(Date.UTC(2002));
    expect(row?.former_flags ?? []).toEqual([]);
    expect(row?.password_hash ?? null).toBe(null);
  });

  it("returns pages without overlap, in each column's order", async () => {
    for (let made = 0; made < 7; made++) await make(key);
    for (const sort of ["", ...columnsOf(key).map((column) => column.key)]) {
      for (const order of ["asc", "desc"]) {
        const { body: all } = await call(
          admin.cookie,
          "GET",
          `/api/${key}?perPage=100&sort=${sort}&order=${order}`,
        );
        const ids = all[plural].map((row: { id: number }) => row.id);
        const paged: number[] = [];
        for (let page = 1; page <= Math.ceil(ids.length / 5); page++) {
          const { body } = await call(
            admin.cookie,
            "GET",
            `/api/${key}?perPage=5&page=${page}&sort=${sort}&order=${order}`,
          );
          paged.push(...body[plural].map((row: { id: number }) => row.id));
        }
        expect(paged).toEqual(ids);
        expect(new Set(ids).size).toBe(all.meta.totalCount);
      }
    }
  });

  it("returns correct metadata, and a 422 that names an invalid parameter", async () => {
    const { body } = await call(admin.cookie, "GET", `/api/${key}?page=2&perPage=5&search=text&sort=&order=`);
    const { totalCount, totalPages, pageNumbers, sort, order, ...rest } = body.meta;
    expect(rest).toEqual({ page: 2, currentPage: 2, perPage: 5, search: "text", totalCountIsExact: true });
    expect(totalPages).toBe(Math.max(1, Math.ceil(totalCount / 5)));
    expect(pageNumbers[0]).toBe(1);
    const past = await call(admin.cookie, "GET", `/api/${key}?page=1000`);
    expect(past.body[plural]).toEqual([]);
    expect(past.body.meta.totalCount).toBeGreaterThan(0);
    const nothing = await call(admin.cookie, "GET", `/api/${key}?search=nothing-like-this`);
    expect(nothing.body.meta).toMatchObject({ totalCount: 0, totalPages: 1, pageNumbers: [1] });
    for (const bad of ["page=0", "perPage=101", "perPage=x", "order=up", "sort=passwordHash", "sort=id"]) {
      const refused = await call(admin.cookie, "GET", `/api/${key}?${bad}`);
      expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, [bad.split("=")[0]]]);
    }
    for (const bad of ["abc", "0", "-1", "1.5", "2147483648"]) {
      expect((await call(admin.cookie, "GET", `/api/${key}/${bad}`)).status).toBe(422);
    }
  });
});

describe("the settings lists", () => {
  it("answer 404 for unknown lists, including names such as constructor", async () => {
    for (const path of ["permissions", "constructor", "__proto__", "toString", "age-brackets"]) {
      for (const url of [`/api/${path}`, `/api/${path}/1`]) {
        expect((await call(admin.cookie, "GET", url)).status, url).toBe(404);
        expect((await call(null, "GET", url)).status, url).toBe(401);
      }
    }
    expect((await call(admin.cookie, "DELETE", "/api/canines")).status).toBe(405);
    expect((await call(admin.cookie, "POST", "/api/canines/1", {})).status).toBe(405);
  });

  /** Lists without an entry here have no default sort order. */
  it.each([
    ["education_levels", "sortOrder"],
    ["income_levels", "rangeStart"],
    ["form_types", "sortOrder"],
    ["age_brackets", ""],
    ["users", ""],
    ["referral_sources", ""],
  ] as const)("%s are sorted by %j by default", async (key, sort) => {
    const { body } = await call(admin.cookie, "GET", `/api/${key}?perPage=100`);
    expect(body.meta).toMatchObject({ sort, order: sort ? "asc" : "", page: 1 });
    const values = body[lookups[key].plural].map((row: Record<string, number>) => row[sort || "id"]);
    expect(values).toEqual([...values].sort((a, b) => a - b));
    expect((await call(admin.cookie, "GET", `/api/${key}`)).body.meta.perPage).toBe(25);
  });

  it("sort text without regard to case, and numbers as numbers", async () => {
    for (const name of ["zzb", "ZZA", "zzC"]) await make("canines", { name });
    const { body } = await call(admin.cookie, "GET", "/api/canines?search=zz&sort=name&order=desc");
    expect(body.canines.map((canine: { name: string }) => canine.name)).toEqual(["zzC", "zzb", "ZZA"]);
    for (const rangeStart of [9, 10, 100])
      await make("age_brackets", { name: `qq ${rangeStart}`, rangeStart });
    const ages = await call(admin.cookie, "GET", "/api/age_brackets?search=qq&sort=rangeStart&order=desc");
    expect(ages.body.ageBrackets.map((age: { rangeStart: number }) => age.rangeStart)).toEqual([100, 10, 9]);
  });

  it("sort text as it is found: accents, special letters, and dashes count as plain ones", async () => {
    for (const name of ["Yy zoo", "yy øde", "yy lodz b", "yy Łódź", "yy Åse", "YY - 2", "yy ‐ 1"])
      await make("canines", { name });
    const { body } = await call(admin.cookie, "GET", "/api/canines?search=yy&sort=name");
    expect(body.canines.map((canine: { name: string }) => canine.name)).toEqual([
      ...["yy ‐ 1", "YY - 2", "yy Åse", "yy Łódź", "yy lodz b", "yy øde", "Yy zoo"],
    ]);
  });

  it("search for substrings, without regard to case, with % _ and \\ as ordinary characters", async () => {
    for (const name of ["50% Dog", "under_dog", "underxdog", "back\\slash"]) await make("canines", { name });
    const searchList = async (list: string, search: string) => {
      const { body } = await call(admin.cookie, "GET", `/api/${list}?search=${encodeURIComponent(search)}`);
      return body[lookups[list as LookupKey].plural].map(
        (row: Record<string, unknown>) => row.name ?? row.code,
      );
    };
    expect(await searchList("canines", "% dOG")).toEqual(["50% Dog"]);
    expect(await searchList("canines", "R_D")).toEqual(["under_dog"]);
    expect(await searchList("canines", "k\\S")).toEqual(["back\\slash"]);
    await make("referral_sources", { code: "QX1", description: "the *needle*" });
    await make("service_codes", { code: "needle-2", description: "" });
    expect(await searchList("referral_sources", "NEEDLE")).toEqual(["QX1"]);
    expect(await searchList("referral_sources", "qx")).toEqual(["QX1"]);
    expect(await searchList("service_codes", "NEEDLE")).toEqual(["needle-2"]);
    await make("canines", { name: "Łajka‐Ørn’s\u00a0Dog" });
    for (const search of ["lajka-orn's dog", "LAJKA–ØRN´S\tDOG", "orns dog"])
      expect(await searchList("canines", search)).toEqual(["Łajka‐Ørn’s\u00a0Dog"]);
  });

  it("find a user's name without its accents and apostrophes, like the client search", async () => {
    const { id } = await make("users", {
      firstName: "Núria",
      lastName: "O’Jiménez",
      email: "nuria@accents.test",
    });
    for (const search of ["jimenez", "nuria o", "OJIMÉNEZ"]) {
      const { body } = await call(admin.cookie, "GET", `/api/users?search=${encodeURIComponent(search)}`);
      expect(
        body.users.map((user: { id: number }) => user.id),
        search,
      ).toEqual([id]);
    }
  });

  it("search users by full name and email, and sort them by what their columns show", async () => {
    const roles = await Promise.all(["zz role", "AA role"].map((name) => make("roles", { name })));
    const [zz, aa] = roles.map(({ id }) => id);
    const first = await make("users", {
      firstName: "Quill",
      lastName: "Zed",
      email: "b@quill.test",
      roleId: aa,
    });
    const second = await make("users", {
      firstName: "quill",
      lastName: "Abel",
      email: "a@quill.test",
      roleId: zz,
    });
    await db().user.update({
      where: { id: first.id },
      data: { lastLoginAt: new Date("2026-01-02T03:04:05Z") },
    });
    const searchList = async (query: string) => {
      const { body } = await call(admin.cookie, "GET", `/api/users?${query}`);
      return body.users.map((user: { id: number }) => user.id);
    };
    expect(await searchList("search=quill%20zed")).toEqual([first.id]);
    expect(await searchList("search=A@QUILL")).toEqual([second.id]);
    expect(await searchList("search=quill&sort=fullName")).toEqual([second.id, first.id]);
    expect(await searchList("search=quill&sort=email&order=desc")).toEqual([first.id, second.id]);
    expect(await searchList("search=quill&sort=role")).toEqual([first.id, second.id]);
    expect(await searchList("search=quill&sort=lastLoginAt&order=desc")).toEqual([first.id, second.id]);
    const { body } = await call(admin.cookie, "GET", `/api/users/${first.id}`);
    expect(body.user).toEqual({
      id: first.id,
      firstName: "Quill",
      lastName: "Zed",
      fullName: "Quill Zed",
      email: "b@quill.test",
      roleId: aa,
      role: { id: aa, name: "AA role" },
      lastLoginAt: "2026-01-02T03:04:05.000Z",
      activatedAt: null,
      active: true,
      twoStep: false,
      status: "invited",
    });
  });

  it("keep fields that an update omits, and clear those that it sends empty", async () => {
    const code = await make("service_codes", { formTypeIds: [2, 1, 1] });
    expect(code).toMatchObject({ formTypeIds: [1, 2], hotelShelter: true, videoconferencing: true });
    const put = async (values: object) =>
      (await call(admin.cookie, "PUT", `/api/service_codes/${code.id}`, { serviceCode: values })).body
        .serviceCode;
    expect(await put({ code: "KEPT" })).toEqual({ ...code, code: "KEPT" });
    expect(
      await put({
        code: "KEPT",
        description: "",
        canBeMagistrate: false,
        formTypeIds: [],
        hotelShelter: false,
      }),
    ).toMatchObject({
      description: "",
      canBeMagistrate: false,
      formTypeIds: [],
      hotelShelter: false,
      videoconferencing: true,
    });
    const type = await make("form_types");
    const updated = await call(admin.cookie, "PUT", `/api/form_types/${type.id}`, {
      formType: { name: "Still", survivorEntry: false },
    });
    expect(updated.body.formType).toEqual({ ...type, name: "Still", survivorEntry: false });
    const role = await make("roles", { permissionIds: [3, 4] });
    const { body } = await call(admin.cookie, "PUT", `/api/roles/${role.id}`, { role: { name: "Still" } });
    expect(body.role).toEqual({ ...role, name: "Still", permissionIds: [3, 4] });
  });

  it("accept values exactly on their limits", async () => {
    const long = "x".repeat(255);
    expect((await make("canines", { name: long })).name).toBe(long);
    expect((await make("referral_sources", { description: "y".repeat(10_000) })).description).toHaveLength(
      10_000,
    );
    expect((await make("age_brackets", { rangeStart: 0 })).rangeStart).toBe(0);
    expect((await make("education_levels", { sortOrder: -5 })).sortOrder).toBe(-5);
    for (const rangeStart of [0, 0.29, 1234.56, 9_999_999_999.99]) {
      expect((await make("income_levels", { rangeStart })).rangeStart).toBe(rangeStart);
    }
  });
});

describe("a record in use", () => {
  const formsOf = [
    ["Phone", "M"],
    ["On-Call Advocacy", "M"],
    ["Legal Advocacy", "M"],
    ["Legal Advocacy", "CT"],
  ] as const;

  beforeAll(async () => {
    const owner = await makeUser();
    const client = await call(owner.cookie, "POST", "/api/clients", { client: await fullClient() });
    for (const [type, place] of formsOf) {
      const form = await fullForm(type, client.body.client.id, place);
      expect((await call(owner.cookie, "POST", "/api/forms", { form })).status).toBe(201);
    }
  });

  /** The lists, how the record is called, the number of records that use it, and SQL that finds its id. */
  const USED: [LookupKey, words: string, uses: number, record: string][] = [
    ["age_brackets", "age bracket", 1, "SELECT age_bracket_id AS id FROM client_biographical_entries"],
    ["canines", "canine", 3, "SELECT canine_id AS id FROM forms WHERE canine_id <> 1"],
    ["custody_statuses", "custody status", 3, "SELECT custody_status_id AS id FROM survivor_entries"],
    [
      "education_levels",
      "education level",
      1,
      "SELECT education_level_id AS id FROM income_and_education_entries",
    ],
    ["ethnicities", "ethnicity", 1, "SELECT ethnicity_id AS id FROM client_demographic_entries"],
    [
      "hate_crime_categories",
      "hate crime category",
      3,
      "SELECT hate_crime_category_id AS id FROM survivor_entries",
    ],
    ["income_levels", "income level", 1, "SELECT income_level_id AS id FROM income_and_education_entries"],
    [
      "magisterial_court_outcomes",
      "magisterial court outcome",
      1,
      "SELECT magisterial_court_outcome_id AS id FROM magisterial_entries",
    ],
    [
      "offender_relationships",
      "offender relationship",
      3,
      "SELECT offender_relationship_id AS id FROM survivor_entries",
    ],
    [
      "pfa_court_contact_types",
      "PFA court contact type",
      1,
      "SELECT pfa_court_contact_type_id AS id FROM pfa_court_entries",
    ],
    ["referral_sources", "referral source", 4, "SELECT referral_source_id AS id FROM intake_forms"],
    [
      "secondary_victimizations",
      "secondary victimization",
      3,
      "SELECT secondary_victimization_id AS id FROM survivor_entry_secondary_victimizations",
    ],
    [
      "service_codes",
      "service code",
      2,
      "SELECT service_code_id AS id FROM service_provided_entries GROUP BY 1 HAVING count(*) = 2",
    ],
    ["users", "user", 5, "SELECT user_id AS id FROM clients"],
    ["roles", "role", 1, "SELECT role_id AS id FROM users JOIN clients ON clients.user_id = users.id"],
  ];

  it.each(USED)(
    "of %s cannot be deleted: the error names the %s and its %i uses",
    async (key, words, uses, record) => {
      const [row] = (await pool().query<{ id: number }>(`${record} LIMIT 1`)).rows;
      const { status, body } = await call(admin.cookie, "DELETE", `/api/${key}/${row?.id}`);
      const error = `This ${words} is used by ${uses === 1 ? "1 record" : `${uses} records`} and cannot be removed`;
      expect([status, body]).toEqual([409, { error, code: "conflict_in_use" }]);
      expect((await call(admin.cookie, "GET", `/api/${key}/${row?.id}`)).status).toBe(200);
    },
  );
});

/** The messages word for word: the organization expects exactly these. */
it.each([
  [
    "age_brackets",
    "Created age bracket successfully",
    "Updated age bracket successfully",
    "Removed ageBracket successfully",
  ],
  ["canines", "Made Canine successfully", "Updated Canine successfully", "Removed canine successfully"],
  [
    "custody_statuses",
    "Created Magisterial Court Outcome successfully",
    "Updated Magisterial Court Outcome successfully",
    "Removed Magisterial Court Outcome successfully",
  ],
  [
    "education_levels",
    "Created shipping method successfully",
    "Updated shipping method successfully",
    "Removed educationLevel successfully",
  ],
  [
    "ethnicities",
    "Created age bracket successfully",
    "Updated age bracket successfully",
    "Removed ethnicity successfully",
  ],
  [
    "hate_crime_categories",
    "Created shipping method successfully",
    "Updated shipping method successfully",
    "Removed hateCrimeCategory successfully",
  ],
  [
    "income_levels",
    "Created shipping method successfully",
    "Updated shipping method successfully",
    "Removed incomeLevel successfully",
  ],
  [
    "magisterial_court_outcomes",
    "Created Magisterial Court Outcome successfully",
    "Updated Magisterial Court Outcome successfully",
    "Removed Magisterial Court Outcome successfully",
  ],
  [
    "offender_relationships",
    "Created shipping method successfully",
    "Updated shipping method successfully",
    "Removed offenderRelationship successfully",
  ],
  [
    "pfa_court_contact_types",
    "Created PFA Court Contact Type successfully",
    "Updated PFA Court Contact Type successfully",
    "Removed pfaCourtContactType successfully",
  ],
  [
    "referral_sources",
    "Created shipping method successfully",
    "Updated shipping method successfully",
    "Removed referralSource successfully",
  ],
  [
    "secondary_victimizations",
    "Created shipping method successfully",
    "Updated shipping method successfully",
    "Removed secondaryVictimization successfully",
  ],
  [
    "service_codes",
    "Created Magisterial Court Outcome successfully",
    "Updated Magisterial Court Outcome successfully",
    "Removed serviceCode successfully",
  ],
  ["users", "Created user successfully", "Updated user successfully", "Removed user successfully"],
  ["roles", "Created role successfully", "Updated role successfully", "Removed role successfully"],
  [
    "form_types",
    "Created form type successfully",
    "Updated form type successfully",
    "Removed form type successfully",
  ],
] as const)("the notices for %s have the required words", (key, created, updated, removed) => {
  expect(lookups[key].messages).toEqual({ created, updated, removed });
});

/** The messages that name another list. A second line with the actual change follows them. */
const MISLEADING: Partial<Record<LookupKey, readonly ("created" | "updated" | "removed")[]>> = {
  custody_statuses: ["created", "updated", "removed"],
  education_levels: ["created", "updated"],
  ethnicities: ["created", "updated"],
  hate_crime_categories: ["created", "updated"],
  income_levels: ["created", "updated"],
  offender_relationships: ["created", "updated"],
  referral_sources: ["created", "updated"],
  secondary_victimizations: ["created", "updated"],
  service_codes: ["created", "updated"],
};

it.each(lookupKeys)("the notices for %s name the record and the list if their message does not", (key) => {
  const { messages, title } = lookups[key];
  for (const [act, words] of [
    ["created", "was added to"],
    ["updated", "was changed in"],
    ["removed", "was removed from"],
  ] as const) {
    const second = MISLEADING[key]?.includes(act) ? [`VALLEY-HOSP ${words} ${title}`] : [];
    expect(lookupDone(key, act, "VALLEY-HOSP")).toEqual([messages[act], ...second]);
  }
});

it("there are notices for all twenty-two lists", () => {
  expect(lookupKeys).toHaveLength(22);
  expect(lookups.users.action).toEqual({
    title: "Reset Password",
    call: "POST /api/users/{id}/reset_password",
    done: "Reset link sent successfully",
  });
});

it("users are filtered by status in the list and its file, and an unknown status is refused", async () => {
  const password = { passwordHash: "$2b$04$", activatedAt: new Date() };
  const { id: invited } = await make("users");
  const { id: active } = await make("users");
  const { id: deactivated } = await make("users");
  await db().user.update({ where: { id: active }, data: password });
  await db().user.update({ where: { id: deactivated }, data: { ...password, active: false } });
  const userIds = [invited, active, deactivated];
  for (const [status, id] of [
    ["invited", invited],
    ["active", active],
    ["deactivated", deactivated],
  ]) {
    const query = `filters[status]=${status}&perPage=100`;
    const { body } = await call(admin.cookie, "GET", `/api/users?${query}`);
    const users: { id: number; status: string }[] = body.users;
    expect(new Set(users.map((user) => user.status))).toEqual(new Set([status]));
    expect(users.map((user) => user.id).filter((found) => userIds.includes(found))).toEqual([id]);
    expect(body.meta.totalCount).toBe(users.length);
    const file = await call(admin.cookie, "GET", `/api/users.csv?${query}`);
    expect(file.body.trim().split("\r\n")).toHaveLength(users.length + 1);
  }
  for (const [list, query, field] of [
    ["users", "filters[status]=away", "filters.status"],
    ["canines", "filters[status]=active", "filters.status"],
    // The list has no such column.
    ["users", "sort=status", "sort"],
  ]) {
    const { status, body } = await call(admin.cookie, "GET", `/api/${list}?${query}`);
    expect([status, Object.keys(body.fields)]).toEqual([422, [field]]);
  }
});

it("every list of names sorts by the letters that people type instead", async () => {
  const NAMES = [
    ...["Aesa", "Æsb", "Aesc", "Da", "Đb", "Dc", "La", "Łb", "Lc", "Oa", "Øb", "Oc"],
    ...["Ssa", "ßb", "Ssc", "Tha", "Þb", "Thc", "U'a", "Uʻb", "U’c"],
  ].map((name) => `Sorted ${name}`);
  const shuffled = NAMES.toSorted((a, b) => a.slice(-1).localeCompare(b.slice(-1)) || (a < b ? 1 : -1));
  const formTypeId = (await db().formType.findUniqueOrThrow({ where: { name: "Service" } })).id;
  for (const name of shuffled) {
    await make("canines", { name });
    await make("referral_sources", { code: name });
    const [firstName, ...last] = name.split(" ");
    await make("users", { firstName, lastName: last.join(" ") });
    const { client } = (await call(admin.cookie, "POST", "/api/clients", { client: { name } })).body;
    const form = {
      clientId: client.id,
      formTypeId,
      serviceOn: "2026-03-04",
      serviceStatus: "Served",
      verbalConfirmation: false,
    };
    expect((await call(admin.cookie, "POST", "/api/forms", { form })).status).toBe(201);
  }
  for (const [list, sort, nameOf] of [
    ["canines", "name", ({ name }) => name],
    ["referral_sources", "code", ({ code }) => code],
    ["users", "fullName", ({ fullName }) => fullName],
    ["clients", "name", ({ name }) => name],
    ["forms", "client", ({ client }) => client.name],
  ] as [
    list: string,
    sort: string,
    nameOf: (item: Record<"name" | "code" | "fullName", string> & { client: { name: string } }) => string,
  ][])
    for (const order of ["asc", "desc"]) {
      const query = `search=Sorted&sort=${sort}&order=${order}&perPage=100`;
      const { status, body } = await call(admin.cookie, "GET", `/api/${list}?${query}`);
      expect(status, list).toBe(200);
      const key = list === "referral_sources" ? "referralSources" : list;
      expect(body[key].map(nameOf), `${list} ${order}`).toEqual(order === "asc" ? NAMES : NAMES.toReversed());
    }
});
