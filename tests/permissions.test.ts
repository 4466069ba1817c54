import { describe, expect, test } from "vitest";
import { can, canAny, PERMISSION_NAMES, type Permission, permissionKey } from "@/lib/core/access/permissions";
import { SEEDED_ROLES } from "@/lib/lookups/seeded-roles";

const user = (...names: string[]) => ({ permissions: names.map((name, at) => ({ id: at + 1, name })) });

describe("a permission check", () => {
  test.each([
    ["All Forms", "all-forms"],
    ["PFA Court Contact Types", "pfa-court-contact-types"],
    ["users", "users"],
    ["", ""],
  ])("converts the name %j to the key %j", (name, key) => expect(permissionKey(name)).toBe(key));

  test.each<[string, string[], Permission | "", boolean]>([
    ["passes for a held permission", ["Forms", "All Forms"], "all-forms", true],
    ["ignores the case of the held name", ["ALL forms"], "all-forms", true],
    ["fails for a permission that is not held", ["Forms"], "all-forms", false],
    ["fails for a part of a name", ["All Forms"], "forms", false],
    ["passes for an empty name without any permission", [], "", true],
    ["passes for an empty name with other permissions", ["Users"], "", true],
  ])("%s", (_, held, wanted, expected) => expect(can(user(...held), wanted)).toBe(expected));

  test("of several permissions passes if the user holds one of them", () => {
    expect(canAny(user("Clients"), ["forms", "clients"])).toBe(true);
    expect(canAny(user("Users"), ["forms", "clients"])).toBe(false);
  });
});

test("a role to start from has only permissions that exist, and no two are the same", () => {
  const roles = Object.values(SEEDED_ROLES).map((names) => names.toSorted().join());
  expect(new Set(roles).size).toBe(roles.length);
  for (const names of Object.values(SEEDED_ROLES))
    expect(PERMISSION_NAMES).toEqual(expect.arrayContaining([...names]));
});
