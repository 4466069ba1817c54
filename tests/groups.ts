import { expect } from "vitest";
import type { Permission } from "@/lib/core/access/permissions";
import { db } from "@/lib/core/database/client";
import { call } from "@/tests/call";
import { formTypeId, makeUser, type Person } from "@/tests/factories";

// Groups and sessions for tests, made through the API.

/** The permissions of an advocate who leads groups. */
export const LEADER: Permission[] = ["forms", "clients", "groups"];

export const makeLeader = (...more: Permission[]): Promise<Person> => makeUser([...LEADER, ...more]);

/** The day on which the sessions of tests are held. */
export const DAY = "2026-11-20";

/** Returns the id of a service code that forms of the type Service offer. */
export async function groupCode(code = "COUNSEL-GRP"): Promise<number> {
  return (await db().serviceCode.findUniqueOrThrow({ where: { code } })).id;
}

/** Creates a group that the people lead; the first one creates it. */
export async function makeGroup(leaders: readonly Person[], values: object = {}) {
  const group = {
    name: "Tuesday evening",
    formTypeId: await formTypeId("Service"),
    serviceCodeId: await groupCode(),
    usualMinutes: 90,
    leaderIds: leaders.map(({ id }) => id),
    ...values,
  };
  const created = await call(leaders[0]?.cookie ?? null, "POST", "/api/groups", { group });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return created.body.group;
}

/** Returns the body of a session of 90 minutes with its leaders and the clients who came. */
export const sessionOf = (leaders: readonly { id: number }[], clientIds: readonly number[], values = {}) => ({
  groupSession: {
    heldOn: DAY,
    minutes: 90,
    leadersAttributes: leaders.map(({ id }) => ({ userId: id, minutes: 90 })),
    attendancesAttributes: clientIds.map((clientId) => ({ clientId })),
    ...values,
  },
});

/** Records a session of a group by its first leader. */
export async function makeSession(
  group: { id: number },
  leaders: readonly Person[],
  clientIds: readonly number[],
  values = {},
) {
  const url = `/api/groups/${group.id}/sessions`;
  const created = await call(leaders[0]?.cookie ?? null, "POST", url, sessionOf(leaders, clientIds, values));
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return created.body.groupSession;
}
