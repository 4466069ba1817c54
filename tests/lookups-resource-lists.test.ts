import { beforeAll, describe, expect, it } from "vitest";
import { PERMISSION_NAMES, type Permission, permissionKey } from "@/lib/core/access/permissions";
import { db, rows } from "@/lib/core/database/client";
import { identifier, sql } from "@/lib/core/sql";
import type { Actor } from "@/lib/identity/session";
import { formLists, serviceCodesFor, userOptions } from "@/lib/lookups/resources/lists";
import { actorFor, call } from "@/tests/call";
import { formTypeId, makeClient, makeUser, type Person } from "@/tests/factories";

const ALL = PERMISSION_NAMES.map((name) => permissionKey(name) as Permission);

/** Path, key of the response, the keys of one item, and the permissions, any of which is enough. */
const LISTS: [string, string, string[], Permission[]][] = [
  ["age_brackets", "ageBrackets", ["id", "name", "rangeStart"], []],
  ["magisterial_court_outcomes", "magisterialCourtOutcomes", ["id", "name"], []],
  ["ethnicities", "ethnicities", ["id", "name"], []],
  ["pfa_court_contact_types", "pfaCourtContactTypes", ["id", "name"], []],
  ["income_levels", "incomeLevels", ["id", "name", "rangeStart"], []],
  ["education_levels", "educationLevels", ["id", "name", "sortOrder"], []],
  ["canines", "canines", ["id", "name"], []],
  ["clients", "clients", ["id", "name"], ["forms", "clients"]],
  [
    "form_types",
    "formTypes",
    [
      "id",
      "name",
      "intakeOnly",
      "phone",
      "serviceEntry",
      "onCallAdvocacyEntry",
      "phoneEntry",
      "legalAdvocacyEntry",
      "survivorEntry",
      "clientBiographicalEntry",
      "clientDemographicalEntry",
    ],
    [],
  ],
  ["referral_sources", "referralSources", ["id", "code", "description"], []],
  ["secondary_victimizations", "secondaryVictimizations", ["id", "name"], []],
  ["hate_crime_categories", "hateCrimeCategories", ["id", "name"], []],
  ["offender_relationships", "offenderRelationships", ["id", "name"], []],
  ["custody_statuses", "custodyStatuses", ["id", "name"], []],
  [
    "users",
    "users",
    ["id", "firstName", "lastName", "name", "active"],
    ["clients", "all-forms", "users", "groups", "events"],
  ],
  ["permissions", "permissions", ["id", "name"], ["roles"]],
  ["roles", "roles", ["id", "name"], ["users", "roles"]],
  [
    "service_codes/1",
    "serviceCodes",
    [
      "id",
      "code",
      "description",
      "hotelShelter",
      "videoconferencing",
      "canBeMagistrate",
      "onCallMainType",
      "hasReferral",
    ],
    [],
  ],
];

let admin: Person;
let nobody: Person;
let actor: Actor;

beforeAll(async () => {
  admin = await makeUser(ALL);
  nobody = await makeUser([]);
  actor = await actorFor(admin);
  await makeClient(admin);
});

describe.each(LISTS)("%s", (path, plural, keys, permissions) => {
  const url = `/api/resource_lists/${path}`;

  it("returns the whole list, and only the documented fields of each item", async () => {
    const { status, body } = await call(admin.cookie, "GET", url);
    expect(status).toBe(200);
    // There may be many clients, so the response indicates if the list is complete.
    expect(body).toEqual({
      [plural]: expect.any(Array),
      ...(plural === "clients" && { meta: { truncated: false } }),
    });
    expect(body[plural].length).toBeGreaterThan(0);
    for (const item of body[plural]) expect(Object.keys(item)).toEqual(keys);
    const [table = "", formType] = path.split("/");
    const [row] = await rows<{ count: number }>(
      formType
        ? sql`SELECT count(*)::int AS count FROM service_code_form_types WHERE form_type_id = 1`
        : sql`SELECT count(*)::int AS count FROM ${identifier(table)}`,
    );
    expect(body[plural]).toHaveLength(row?.count ?? -1);
  });

  it("is available only with one of its permissions", async () => {
    expect((await call(null, "GET", url)).status).toBe(401);
    expect((await call(nobody.cookie, "GET", url)).status).toBe(permissions.length === 0 ? 200 : 403);
    if (permissions.length === 0) return;
    const others = await makeUser(ALL.filter((permission) => !permissions.includes(permission)));
    expect((await call(others.cookie, "GET", url)).status).toBe(403);
    for (const permission of permissions) {
      expect((await call((await makeUser([permission])).cookie, "GET", url)).status).toBe(200);
    }
  });
});

describe("the resource lists", () => {
  it("are exactly the documented ones", async () => {
    for (const path of [
      "service_codes",
      "roles/1",
      "service_codes/1/2",
      "sessions",
      "constructor",
      "__proto__",
    ]) {
      expect((await call(admin.cookie, "GET", `/api/resource_lists/${path}`)).status, path).toBe(404);
    }
    for (const id of ["x", "0", "99999999999"]) {
      expect((await call(admin.cookie, "GET", `/api/resource_lists/service_codes/${id}`)).status, id).toBe(
        422,
      );
    }
    expect((await call(admin.cookie, "POST", "/api/resource_lists/canines", {})).status).toBe(405);
  });

  it("use their lists' default order: people and clients by name, codes by code", async () => {
    await db().educationLevel.create({ data: { name: "First of all", sortOrder: -1 } });
    const { educationLevels, incomeLevels, formTypes } = await formLists(actor);
    expect(educationLevels[0]).toMatchObject({ name: "First of all", sortOrder: -1 });
    expect(incomeLevels.map(({ rangeStart }) => rangeStart)).toEqual(
      incomeLevels.map(({ rangeStart }) => rangeStart).sort((a, b) => a - b),
    );
    expect(formTypes.map(({ name }) => name)).toEqual([
      "Phone",
      "On-Call Advocacy",
      "Legal Advocacy",
      "Survivor",
      "Service",
    ]);
    await db().user.update({ where: { id: nobody.id }, data: { firstName: "aaron" } });
    expect((await userOptions(actor))[0]).toEqual({
      id: nobody.id,
      firstName: "aaron",
      lastName: nobody.lastName,
      name: `aaron ${nobody.lastName}`,
      active: true,
    });
    const codes = (await serviceCodesFor(actor, await formTypeId("Service"))).map(({ code }) => code);
    expect(codes).toEqual([...codes].sort());
    expect(await serviceCodesFor(actor, await formTypeId("Survivor"))).toEqual([]);
    expect(await serviceCodesFor(actor, 2_147_483_647)).toEqual([]);
  });
});
