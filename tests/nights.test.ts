import { beforeAll, describe, expect, test } from "vitest";
import { NOBODY_HIDDEN } from "@/lib/core/access/scope";
import { db, rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/sql";
import { changesClosedDays, nightsIn, nightsSoFar, overlappingIds, peopleOf } from "@/lib/shelter/nights";
import { nightsByStay } from "@/lib/shelter/nights-by-stay";
import { makeClient, makeUser } from "@/tests/factories";

// Nights of stays, worked out by hand.

const MARCH = { from: "2026-03-01", to: "2026-03-31" };
const ALONE = { adults: 0, childrenThirteenToSeventeen: 0, childrenUnderThirteen: 0 };
const dates = (enteredOn: string, leftOn: string | null) => ({ enteredOn, leftOn });

test.each([
  ["leftOn − enteredOn", "2026-03-02", "2026-03-05", 3],
  ["a stay that ends on the day it began", "2026-03-02", "2026-03-02", 1],
  ["one night", "2026-03-02", "2026-03-03", 1],
  ["a stay across the month's begin", "2026-02-26", "2026-03-03", 2],
  ["a stay across the month's end", "2026-03-30", "2026-04-05", 2],
  ["a stay across the whole month", "2026-01-01", "2026-06-01", 31],
  ["a stay that ends on the month's first day", "2026-02-20", "2026-03-01", 0],
  ["a stay that ends on the month's second day", "2026-02-20", "2026-03-02", 1],
  ["a stay that begins on the month's last day", "2026-03-31", "2026-04-01", 1],
  ["a stay that begins and ends on the month's last day", "2026-03-31", "2026-03-31", 1],
  ["a stay that begins and ends on the month's first day", "2026-03-01", "2026-03-01", 1],
  ["a stay that begins and ends on the day before", "2026-02-28", "2026-02-28", 0],
  ["a stay before the month", "2026-01-01", "2026-02-01", 0],
  ["a stay after the month", "2026-04-01", "2026-04-08", 0],
  ["an open stay through the month's last day", "2026-03-25", null, 7],
  ["an open stay since before the month", "2025-03-25", null, 31],
  ["an open stay since the month's last day", "2026-03-31", null, 1],
  ["an open stay that begins after the month", "2026-04-01", null, 0],
  ["the day on which clocks change", "2026-03-07", "2026-03-09", 2],
] as const)("nights of March: %s, %s to %s, are %d", (_, enteredOn, leftOn, nights) => {
  expect(nightsIn(dates(enteredOn, leftOn), MARCH)).toBe(nights);
});

test("February of a leap year has 29 nights", () => {
  const february = { from: "2028-02-01", to: "2028-02-29" };
  expect(nightsIn(dates("2028-01-01", null), february)).toBe(29);
  expect(nightsIn(dates("2028-02-28", "2028-03-01"), february)).toBe(2);
});

test.each([
  ["2026-03-02", "2026-03-05", 3],
  ["2026-03-02", "2026-03-02", 0],
  ["2026-03-02", null, 8],
  ["2026-03-10", null, 0],
  ["2026-03-11", null, 0],
] as const)("nights so far of a stay from %s to %s are %d on 03/10", (enteredOn, leftOn, nights) => {
  expect(nightsSoFar(dates(enteredOn, leftOn), "2026-03-10")).toBe(nights);
});

/** Stays to count, as of one client; `client` 2 is another one. */
type CountedStay = { id: number; client: number; enteredOn: string; leftOn: string | null };

describe("several stays", () => {
  let shelterId: number;
  let userId: number;
  const clientIds: number[] = [];
  beforeAll(async () => {
    const user = await makeUser();
    userId = user.id;
    for (const _ of [1, 2]) clientIds.push((await makeClient(user)).id);
    shelterId = (await db().shelter.create({ data: { name: "House", kind: "In-house" } })).id;
  });

  const stay = (id: number, enteredOn: string, leftOn: string | null, client = 1): CountedStay => ({
    id,
    client,
    enteredOn,
    leftOn,
  });
  /** Stores the stays, and returns the nights of each in March; 0 for a stay without nights. */
  async function nightsOf(stays: CountedStay[]) {
    await db().stay.createMany({
      data: stays.map(({ id, client, enteredOn, leftOn }) => ({
        id,
        clientId: clientIds[client - 1] ?? 0,
        shelterId,
        userId,
        overlapping: true,
        enteredOn: new Date(enteredOn),
        leftOn: leftOn === null ? null : new Date(leftOn),
      })),
    });
    try {
      const counted = await rows<{ stay_id: number; nights: number }>(
        nightsByStay(
          NOBODY_HIDDEN,
          { from: sql`${MARCH.from}::date`, to: sql`${MARCH.to}::date` },
          sql`SELECT id::text AS source, DATE '1900-01-01' AS first, DATE 'infinity' AS last FROM shelters`,
        ),
      );
      const nights = new Map(counted.map((row) => [row.stay_id, row.nights]));
      return Object.fromEntries(stays.map(({ id }) => [id, nights.get(id) ?? 0]));
    } finally {
      await db().stay.deleteMany();
    }
  }

  test.each([
    [
      "after a move, the night belongs to the later shelter",
      [stay(1, "2026-03-01", "2026-03-05"), stay(2, "2026-03-05", "2026-03-08")],
      { 1: 4, 2: 3 },
    ],
    [
      "a move on the day of arrival leaves nothing for the first shelter",
      [stay(1, "2026-03-05", "2026-03-05"), stay(2, "2026-03-05", "2026-03-08")],
      { 1: 0, 2: 3 },
    ],
    [
      "a move on the day of departure leaves the night to the second shelter",
      [stay(1, "2026-03-01", "2026-03-05"), stay(2, "2026-03-05", "2026-03-05")],
      { 1: 4, 2: 1 },
    ],
    [
      "three shelters on one day count one night",
      [1, 2, 3].map((id) => stay(id, "2026-03-05", "2026-03-05")),
      { 1: 0, 2: 0, 3: 1 },
    ],
    [
      "an overlap counts for the stay that began later",
      [stay(1, "2026-03-01", "2026-03-10"), stay(2, "2026-03-04", "2026-03-06")],
      { 1: 7, 2: 2 },
    ],
    [
      "an open stay loses the nights of a later one",
      [stay(1, "2026-03-01", null), stay(2, "2026-03-30", null)],
      { 1: 29, 2: 2 },
    ],
    [
      "equal stays count for the one that was recorded later",
      [stay(2, "2026-03-04", "2026-03-06"), stay(1, "2026-03-04", "2026-03-06")],
      { 1: 0, 2: 2 },
    ],
    [
      "an overlap before the period changes nothing",
      [stay(1, "2026-02-01", "2026-03-03"), stay(2, "2026-02-10", "2026-02-12")],
      { 1: 2, 2: 0 },
    ],
    [
      "stays of different clients do not share nights",
      [stay(1, "2026-03-01", "2026-03-05"), stay(2, "2026-03-01", "2026-03-05", 2)],
      { 1: 4, 2: 4 },
    ],
    ["no stays have no nights", [], {}],
    [
      "the same days as one stay count alike: across the begin and the end, on one day, before, after, and open",
      [
        stay(1, "2026-02-26", "2026-03-03"),
        stay(2, "2026-03-31", "2026-03-31", 2),
        stay(3, "2026-02-28", "2026-02-28", 2),
        stay(4, "2026-04-01", null, 2),
      ],
      { 1: 2, 2: 1, 3: 0, 4: 0 },
    ],
  ] as [string, CountedStay[], object][])("%s", async (_, stays, nights) => {
    expect(await nightsOf(stays)).toEqual(nights);
    expect(await nightsOf(stays.toReversed())).toEqual(nights);
  });

  test("are of the client and the people who came along", () => {
    expect(peopleOf(ALONE)).toBe(1);
    expect(peopleOf({ adults: 1, childrenThirteenToSeventeen: 1, childrenUnderThirteen: 2 })).toBe(5);
  });

  test.each([
    ["a move is none", [dates("2026-03-01", "2026-03-05"), dates("2026-03-05", null)], []],
    ["two open stays are one", [dates("2026-03-01", null), dates("2026-03-05", null)], [0, 1]],
    [
      "a stay of one day in another one is none",
      [dates("2026-03-01", null), dates("2026-03-05", "2026-03-05")],
      [],
    ],
    [
      "only the stays that overlap are named",
      [dates("2026-03-01", "2026-03-04"), dates("2026-03-03", "2026-03-06"), dates("2026-03-06", null)],
      [0, 1],
    ],
  ] as const)("of one client overlap: %s", (_, stays, ids) => {
    expect([...overlappingIds(stays.map((days, id) => ({ id, ...days })))]).toEqual(ids);
  });
});

describe("a change after March was closed", () => {
  const through = "2026-03-31";
  const stay = (enteredOn: string, leftOn: string | null, more: object = {}) => ({
    ...ALONE,
    shelterId: 1,
    enteredOn,
    leftOn,
    ...more,
  });
  const open = stay("2026-03-20", null);
  test.each([
    ["a stay from April is added", null, stay("2026-04-01", null), false],
    ["a stay from March is added", null, open, true],
    ["a stay of one day in March is added", null, stay("2026-03-31", "2026-03-31"), true],
    ["an open stay ends in April", open, stay("2026-03-20", "2026-04-10"), false],
    ["an open stay ends on the day after", open, stay("2026-03-20", "2026-04-01"), false],
    ["an open stay ends in March", open, stay("2026-03-20", "2026-03-31"), true],
    ["an ended stay is opened", stay("2026-03-20", "2026-03-25"), open, true],
    ["a stay that ended in April is opened", stay("2026-03-20", "2026-04-02"), open, false],
    ["the first day changes", open, stay("2026-03-19", null), true],
    ["a stay moves from April to March", stay("2026-04-01", null), open, true],
    ["the shelter changes", open, { ...open, shelterId: 2 }, true],
    ["a child is added", open, { ...open, childrenUnderThirteen: 1 }, true],
    [
      "a child is added to a stay from April",
      stay("2026-04-01", null),
      stay("2026-04-01", null, { adults: 1 }),
      false,
    ],
    ["a stay from March is removed", open, null, true],
    ["a stay from April is removed", stay("2026-04-01", "2026-04-03"), null, false],
  ] as const)("counts there if %s: from %j to %j", (_, before, after, isRefused) => {
    expect(changesClosedDays(through, before, after)).toBe(isRefused);
    expect(changesClosedDays(null, before, after)).toBe(false);
  });
});
