import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { clientResponse } from "@/lib/clients/api-schema";
import { db, rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/sql";
import { today } from "@/lib/core/text/format";
import { call } from "@/tests/call";
import { fullClient, makeClient, makeForm, makeUser, type Person } from "@/tests/factories";

let ada: Person;
let ben: Person;

beforeAll(async () => {
  ada = await makeUser();
  ben = await makeUser();
});

const get = async (id: number) => (await call(ada.cookie, "GET", `/api/clients/${id}`)).body.client;
const put = (id: number, client: object, as = ada) =>
  call(as.cookie, "PUT", `/api/clients/${id}`, { client });

describe("a client", () => {
  test("with every field filled survives save, reload, edit and reload", async () => {
    const values = await fullClient();
    const created = await call(ada.cookie, "POST", "/api/clients", { client: values });
    expect(created.status).toBe(201);
    const { clientBiographicalEntryAttributes: bio, clientDemographicEntryAttributes: demo, ...own } = values;
    const expected = {
      ...own,
      userId: ada.id,
      user: { id: ada.id, firstName: ada.firstName, lastName: ada.lastName },
      createdOn: today(),
      clientBiographicalEntry: bio,
      clientDemographicEntry: demo,
    };
    expect(await get(created.body.client.id)).toMatchObject(expected);
    expect(await get(created.body.client.id)).toEqual(created.body.client);
    expect(clientResponse.parse(created.body.client)).toEqual(created.body.client);

    const edited = {
      ...values,
      name: "Rosa Núñez",
      clientBiographicalEntryAttributes: { ...bio, city: "Meadville", dateOfBirth: "12/31/1990" },
    };
    const { status, body } = await put(created.body.client.id, edited);
    expect(status).toBe(200);
    expect(await get(body.client.id)).toEqual(body.client);
    expect(body.client).toMatchObject({
      ...expected,
      name: "Rosa Núñez",
      lockVersion: 1,
      clientBiographicalEntry: {
        ...bio,
        city: "Meadville",
        dateOfBirth: "1990-12-31",
        id: created.body.client.clientBiographicalEntry.id,
      },
    });
  });

  test("needs only a name, and none of its nested entries", async () => {
    const client = await makeClient(ada, { name: "  Only A Name " });
    expect(client).toMatchObject({
      name: "Only A Name",
      significantOther: false,
      relationshipToSurvivor: "",
      verbalConfirmation: false,
      clientBiographicalEntry: null,
      clientDemographicEntry: null,
      lockVersion: 0,
    });
  });

  test("keeps its owner when another user edits it", async () => {
    const client = await makeClient(ada);
    expect((await put(client.id, { name: "Edited" }, ben)).body.client.userId).toBe(ada.id);
  });

  test("is deleted with its entries, unless forms refer to it", async () => {
    const client = await makeClient(ada, await fullClient());
    const form = await makeForm(ada, {}, client.id);
    const refused = await call(ada.cookie, "DELETE", `/api/clients/${client.id}`);
    expect(refused).toMatchObject({
      status: 409,
      body: { error: "This client is used by 1 form and cannot be removed" },
    });

    await call(ada.cookie, "DELETE", `/api/forms/${form.id}`);
    expect(await call(ada.cookie, "DELETE", `/api/clients/${client.id}`)).toMatchObject({
      status: 204,
      body: null,
    });
    expect(await db().clientBiographicalEntry.count({ where: { clientId: client.id } })).toBe(0);
    for (const method of ["GET", "DELETE"] as const) {
      expect(await call(ada.cookie, method, `/api/clients/${client.id}`)).toMatchObject({ status: 404 });
    }
    expect(await put(client.id, { name: "Gone" })).toMatchObject({ status: 404 });
  });

  test("leaves audit events about who saw and changed it, without its values", async () => {
    const client = await makeClient(ada);
    await call(ben.cookie, "GET", `/api/clients/${client.id}`);
    const events = await db().auditEvent.findMany({
      where: { entity: "client", entityId: client.id },
      orderBy: { id: "asc" },
      select: { action: true, userId: true },
    });
    expect(events).toEqual([
      { action: "created", userId: ada.id },
      { action: "viewed", userId: ben.id },
    ]);
  });
});

describe("a number that was stored without its format", () => {
  test("is no change of a save, and no line of one that changes something else", async () => {
    const entry = { phoneNumber: "(412) 555-0100", city: "Erie" };
    const client = await makeClient(ada, { clientBiographicalEntryAttributes: entry });
    await db().clientBiographicalEntry.updateMany({
      where: { clientId: client.id },
      data: { phoneNumber: "412-555-0100" },
    });
    const save = async (city: string) =>
      (
        await put(client.id, {
          name: client.name,
          clientBiographicalEntryAttributes: { phoneNumber: "412-555-0100", city },
        })
      ).body.client;
    expect(await save("Erie")).toMatchObject({ lockVersion: 0 });
    expect(await save("Butler")).toMatchObject({
      lockVersion: 1,
      clientBiographicalEntry: { phoneNumber: "412-555-0100", city: "Butler" },
    });
    const events = await db().auditEvent.findMany({
      where: { entity: "client", entityId: client.id },
      orderBy: { id: "asc" },
      select: { action: true, fields: true },
    });
    expect(events.slice(1)).toEqual([
      { action: "viewed", fields: [] },
      { action: "updated", fields: ["client.clientBiographicalEntry.city"] },
    ]);
  });
});

describe("nested entries in a client update", () => {
  test("stay when omitted, are deleted by null, and are replaced by an object", async () => {
    const client = await makeClient(ada, await fullClient());
    const kept = (await put(client.id, { name: "Kept" })).body.client;
    expect(kept).toEqual({ ...client, name: "Kept", lockVersion: 1 });

    const replaced = (
      await put(client.id, { name: "X", clientBiographicalEntryAttributes: { city: "Erie" } })
    ).body;
    expect(replaced.client.clientBiographicalEntry).toMatchObject({
      city: "Erie",
      address: "",
      dateOfBirth: null,
    });
    expect(replaced.client.clientDemographicEntry).toEqual(client.clientDemographicEntry);

    const removed = (await put(client.id, { name: "X", clientBiographicalEntryAttributes: null })).body
      .client;
    expect(removed.clientBiographicalEntry).toBeNull();
    expect(await db().clientBiographicalEntry.count({ where: { clientId: client.id } })).toBe(0);
  });

  test("are refused with the id of another client's entry, and nothing is stored", async () => {
    const mine = await makeClient(ada, await fullClient());
    const other = await makeClient(ada, await fullClient());
    const id = other.clientBiographicalEntry.id;
    const { status, body } = await put(mine.id, {
      name: "X",
      clientBiographicalEntryAttributes: { id, city: "Y" },
    });
    expect(status).toBe(422);
    expect(Object.keys(body.fields)).toEqual(["client.clientBiographicalEntryAttributes.id"]);
    expect(await get(mine.id)).toEqual(mine);
    expect(await get(other.id)).toEqual(other);
  });
});

describe("clearing rules for a client on the server", () => {
  const demographic = async (values: object) => {
    const sent = (await fullClient()).clientDemographicEntryAttributes;
    const client = await makeClient(ada, { clientDemographicEntryAttributes: { ...sent, ...values } });
    return client.clientDemographicEntry;
  };

  test("clear every kind of disability when there is none", async () => {
    expect(await demographic({ disability: false })).toMatchObject({
      disabilityPhysical: false,
      disabilityCognitive: false,
      disabilityMental: false,
      disabilityDeaf: false,
    });
  });

  test("keep deaf only with a physical disability", async () => {
    expect(await demographic({ disabilityPhysical: false })).toMatchObject({
      disabilityDeaf: false,
      disabilityMental: true,
    });
  });

  test("keep the text of another ethnicity only while Other is chosen", async () => {
    const white = await db().ethnicity.findUniqueOrThrow({ where: { name: "White" } });
    expect(await demographic({ ethnicityId: white.id })).toMatchObject({ ethnicityOther: "" });
    expect(await demographic({})).toMatchObject({ ethnicityOther: "Romani" });
  });
});

describe("an update of a client", () => {
  test("with an outdated lockVersion answers 409 with the name of the other user", async () => {
    const client = await makeClient(ada);
    await put(client.id, { name: "Ben's", lockVersion: client.lockVersion }, ben);
    const late = await put(client.id, { name: "Ada's", lockVersion: client.lockVersion });
    expect(late).toMatchObject({
      status: 409,
      body: { error: `This record was changed by ${ben.firstName} ${ben.lastName} since you opened it` },
    });
    expect((await get(client.id)).name).toBe("Ben's");
  });
});

describe("the Idempotency-Key of a new client", () => {
  const post = (name: string, key: string, as = ada) =>
    call(as.cookie, "POST", "/api/clients", { client: { name } }, { headers: { "idempotency-key": key } });

  test("creates one client from two requests, answers 422 for another body, and is separate for each user", async () => {
    const first = await post("Once", "k1");
    expect(await post("Once", "k1")).toMatchObject({ status: 201, body: first.body });
    expect(await db().client.count({ where: { name: "Once" } })).toBe(1);
    expect(await post("Twice", "k1")).toMatchObject({ status: 422 });
    expect((await post("Once", "k1", ben)).body.client.id).not.toBe(first.body.client.id);
  });

  test("returns the client as it is now when repeated, and 404 after the client is deleted", async () => {
    const { id } = (await post("Moved Away", "k3")).body.client;
    await call(ada.cookie, "PUT", `/api/clients/${id}`, { client: { name: "Renamed Since" } });
    const again = await post("Moved Away", "k3");
    expect([again.status, again.body.client]).toMatchObject([
      201,
      { id, name: "Renamed Since", lockVersion: 1 },
    ]);
    await call(ada.cookie, "DELETE", `/api/clients/${id}`);
    expect(await post("Moved Away", "k3")).toMatchObject({ status: 404, body: { error: "Not found" } });
    expect(await db().client.count({ where: { name: "Moved Away" } })).toBe(0);
  });

  test("stores nothing about the client, not even a hash that guessed names could be compared with", async () => {
    const client = { name: "Kept Nowhere" };
    const { body } = await post(client.name, "k4");
    const [keyRow] = await rows<Record<string, unknown>>(
      sql`SELECT * FROM idempotency_keys WHERE key = 'k4'`,
    );
    expect(Object.keys(keyRow ?? {}).sort()).toEqual([
      "body_hash",
      "created_at",
      "entity",
      "id",
      "key",
      "record_id",
      "user_id",
    ]);
    expect(keyRow?.record_id).toBe(body.client.id);
    const plain = createHash("sha256").update(JSON.stringify({ client })).digest("hex");
    expect(keyRow?.body_hash).not.toBe(plain);
  });

  test("is released when the creation is refused, and after 24 hours", async () => {
    expect((await post("", "k2")).status).toBe(422);
    const first = await post("Fine", "k2");
    expect(first.status).toBe(201);
    await db().idempotencyKey.updateMany({ data: { createdAt: new Date(Date.now() - 25 * 3_600_000) } });
    const second = await post("Fine", "k2");
    expect(second.status).toBe(201);
    expect(second.body.client.id).not.toBe(first.body.client.id);
    expect(await db().idempotencyKey.count({ where: { key: "k2" } })).toBe(1);
  });

  test("must have 1 to 255 characters", async () => {
    expect((await post("Key", "x".repeat(256))).status).toBe(422);
    expect((await post("Key", "")).status).toBe(422);
  });
});

describe("the list of clients", () => {
  const names = ["alpha", "Beta", "gamma", "100% sure", "under_score", "Ünal", "delta", "Epsilon"];
  let zoe: Person;

  beforeAll(async () => {
    zoe = await makeUser(["clients"]);
    for (const [index, name] of names.entries()) {
      const { id } = await makeClient(zoe, { name: `list ${name}` });
      await db().client.update({
        where: { id },
        data: { createdOn: new Date(Date.UTC(2026, 0, 1 + (index % 3))) },
      });
    }
  });

  const list = async (query: string) => {
    const { status, body } = await call(zoe.cookie, "GET", `/api/clients?filters[userId]=${zoe.id}&${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body as {
      clients: { id: number; name: string; createdOn: string; user: { lastName: string } }[];
      // biome-ignore lint/suspicious/noExplicitAny: compared as a whole
      meta: any;
    };
  };

  test("starts with 25 rows on page 1, sorted by createdOn descending", async () => {
    const { clients, meta } = await list("");
    expect(clients.map(({ createdOn }) => createdOn)).toEqual(
      [...clients.map(({ createdOn }) => createdOn)].sort().reverse(),
    );
    expect(meta).toEqual({
      page: 1,
      currentPage: 1,
      perPage: 25,
      totalCount: 8,
      totalPages: 1,
      totalCountIsExact: true,
      search: "",
      sort: "createdOn",
      order: "desc",
      pageNumbers: [1],
    });
    expect(Object.keys(clients[0] ?? {}).sort()).toEqual(["createdOn", "id", "name", "user", "userId"]);
  });

  test.each(["name", "advocate", "createdOn"])(
    "sorts by %s in both directions without overlapping pages",
    async (sort) => {
      const ids: Record<string, number[]> = {};
      for (const order of ["asc", "desc"]) {
        ids[order] = [];
        for (let page = 1; page <= 4; page++) {
          const { clients, meta } = await list(`sort=${sort}&order=${order}&perPage=3&page=${page}`);
          ids[order].push(...clients.map(({ id }) => id));
          expect(meta).toMatchObject({ page, perPage: 3, totalCount: 8, totalPages: 3, sort, order });
        }
        expect(new Set(ids[order]).size).toBe(8);
        expect(ids[order]).toHaveLength(8);
      }
      expect(ids.desc).toEqual(ids.asc?.toReversed());
    },
  );

  test("sorts names without regard to case", async () => {
    const { clients } = await list("sort=name&search=list");
    const own = clients.map(({ name }) => name.slice(5));
    expect(own.indexOf("alpha")).toBeLessThan(own.indexOf("Beta"));
    expect(own.indexOf("Beta")).toBeLessThan(own.indexOf("delta"));
  });

  test("is empty past its last page, and still returns the number of clients", async () => {
    expect(await list("page=99&perPage=5")).toMatchObject({
      clients: [],
      meta: { page: 99, currentPage: 99, totalCount: 8, totalPages: 2, pageNumbers: [1, 2] },
    });
  });

  test.each([
    ["search=BETA", ["Beta"]],
    ["search=100%25", ["100% sure"]],
    ["search=r_s", ["under_score"]],
    ["search=ünal", ["Ünal"]],
    ["search=%5C", []],
    ["search=nobody", []],
  ])("with ?%s finds %s", async (query, found) => {
    const { clients, meta } = await list(query);
    expect(clients.map(({ name }) => name.slice(5))).toEqual(found);
    expect(meta.totalCount).toBe(found.length);
  });

  test("accepts both spellings of a filter", async () => {
    const dotted = await call(zoe.cookie, "GET", `/api/clients?filters.userId=${zoe.id}`);
    expect(dotted.body.meta.totalCount).toBe(8);
    expect((await call(zoe.cookie, "GET", "/api/clients?filters[userId]=999999")).body.meta.totalCount).toBe(
      0,
    );
    expect(
      (await call(zoe.cookie, "GET", "/api/clients?filters[userId]=")).body.meta.totalCount,
    ).toBeGreaterThan(8);
  });

  test("shows at most seven page numbers around the current page", async () => {
    const numbers = async (page: number) => (await list(`perPage=1&page=${page}`)).meta.pageNumbers;
    expect(await numbers(1)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(await numbers(5)).toEqual([2, 3, 4, 5, 6, 7, 8]);
    expect(await numbers(8)).toEqual([2, 3, 4, 5, 6, 7, 8]);
  });
});
