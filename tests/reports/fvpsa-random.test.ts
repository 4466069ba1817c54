import { beforeAll, describe, expect, test } from "vitest";
import { loadWorld, makeStage, numberOf, readPeriod, type Stage } from "./fvpsa-loader";
import { countWorld } from "./fvpsa-model";
import { type Period, WORLDS, type World, type WorldRecord } from "./fvpsa-worlds";

/** Returns numbers from 0 to 1, always the same ones for a seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Two random years of six people: few different days, so that records meet. */
function randomWorld(seed: number): World {
  const random = randomFrom(seed);
  const pick = <Value>(...values: readonly Value[]): Value => {
    const value = values[Math.floor(random() * values.length)];
    if (value === undefined) throw new Error("Nothing to pick from");
    return value;
  };
  const months = ["Y-08", "Y-09", "Y-10", "Y-11", "Z-01", "Z-02", "Z-09", "Z-10"];
  const days = ["01", "02", "05", "15", "28"];
  const dayIn = () => `${pick(...months)}-${pick(...days)}`;
  const people = ["ann", "bea", "cat", "dan", "eve", "kim"];
  const records: WorldRecord[] = [];
  for (let at = 0; at < 16; at++) {
    const isPhone = random() < 0.3;
    records.push({
      form: `F${at}`,
      of: pick(...people),
      on: dayIn(),
      by: pick("owner", "other"),
      codes: isPhone
        ? pick(["CRISIS"], ["SAFETY", "SAFETY"])
        : pick(["CRISIS"], ["COUNSEL-IND", "COUNSEL-GRP"], ["COUNSEL-GRP"], ["HOTEL"], ["SAFETY", "SAFETY"]),
      ...(isPhone && { type: "Phone" as const }),
      ...pick<object>({}, {}, {}, { status: "Not Served" }, { status: "Partially Served" }),
    });
  }
  for (let at = 0; at < 8; at++)
    records.push({
      survivor: `S${at}`,
      of: pick(...people),
      on: dayIn(),
      victimizations: pick<string[]>([], ["Burglary"], ["Robbery"], ["Teen dating violence"], ["Arson"]),
      relationship: pick("Stranger", "Stranger", "Intimate partner"),
    });
  for (let at = 0; at < 10; at++) {
    const from = dayIn();
    const [month = "", day = ""] = [from.slice(0, 4), from.slice(5)];
    const later = days.filter((other) => other >= day);
    records.push({
      stay: `A${at}`,
      of: pick(...people),
      in: pick("house", "motel", "flats"),
      from,
      stored: true,
      to: random() < 0.2 ? "Z-10-28" : `${month}-${pick(...later)}`,
      adults: pick(0, 0, 1),
      children: pick(0, 0, 2),
      by: pick("owner", "other"),
    });
  }
  for (let at = 0; at < 8; at++) {
    const linked =
      random() < 0.4 ? records.find((record) => "form" in record && record.form === `F${at}`) : null;
    records.push({
      contact: `C${at}`,
      kind: pick("Hotline call", "Walk-in", "Text or chat"),
      on: dayIn(),
      ...(linked && "form" in linked && "by" in linked
        ? { form: `F${at}`, by: linked.by }
        : { number: pick(1, 4), by: pick("owner", "other") }),
      ...(!linked && { turnedAway: pick("capacity", "not_appropriate"), adults: 2, children: pick(0, 3) }),
    });
  }
  const ages = { ann: [18, "10-02"], bea: [25, "11-15"], dan: [13, "01-15"] } as const;
  return {
    name: `random ${seed}`,
    people: {
      ...Object.fromEntries(Object.entries(ages).map(([name, born]) => [name, { born }])),
      kim: { known: false },
    },
    records,
    periods: [],
  };
}

const RANGES = [
  ["Y-07-01", "Y-09-30"],
  ["Y-10-01", "Y-12-31"],
  ["Z-01-01", "Z-03-31"],
  ["Y-10-01", "Z-09-30"],
  ["Y-09-02", "Y-10-05"],
  ["Y-08-15", "Z-10-31"],
  ["Z-02-02", "Z-02-15"],
] as const;
const FILTERS: readonly Pick<Period, "by" | "formType">[] = [
  {},
  { by: "owner" },
  { by: "other" },
  { formType: "Service" },
  { formType: "Phone" },
];

let stage: Stage;
beforeAll(async () => {
  stage = await makeStage();
});

/** Demographics that the model does not count. */
const isModeled = (line: string) => !/^(race|sex)_/.test(line);
const modeled = (numbers: Record<string, number>) =>
  Object.fromEntries(Object.entries(numbers).filter(([line]) => isModeled(line)));

describe("the small model of the FVPSA report", () => {
  const unmapped = WORLDS.filter(({ mappings }) => !mappings);
  test.each(unmapped.map((world) => [world.name, world] as const))(
    "agrees with the world: %s",
    (_, world) => {
      for (const period of world.periods) {
        const expected = Object.entries(period.lines).map(
          ([line, number]) => [line, numberOf(number)] as const,
        );
        expect(countWorld(world, period, 1950)).toEqual(modeled(Object.fromEntries(expected)));
      }
    },
  );
});

describe("the FVPSA report", () => {
  test.each([1, 2, 3, 4])("counts random world %i as the small model", async (seed) => {
    const world = randomWorld(seed);
    const year = 1960 + seed * 4;
    await loadWorld(stage, world, year);
    for (const [from, to] of RANGES)
      for (const filter of FILTERS) {
        const period = { from, to, ...filter, lines: {} };
        const numbers = modeled(await readPeriod(stage, period, year));
        expect([seed, period, numbers]).toEqual([seed, period, countWorld(world, period, year)]);
      }
  });
});
