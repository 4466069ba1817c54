import { beforeAll, describe, expect, test } from "vitest";
import {
  loadWorld,
  makeStage,
  mapWorld,
  numberOf,
  readBehind,
  readGapNames,
  readPeriod,
  type Stage,
} from "./fvpsa-loader";
import { TODAY_WORLD, WORLDS, type World } from "./fvpsa-worlds";

// The numbers of fvpsa-worlds.ts, which were worked out by hand before the code that counts.

let stage: Stage;
beforeAll(async () => {
  stage = await makeStage();
});

/** The first world is in the fiscal year 1951; each has three years of its own. */
const yearAt = (at: number) => 1950 + at * 3;

async function expectWorld(world: World, year: number) {
  await mapWorld(stage, world, year);
  const loaded = await loadWorld(stage, world, year);
  for (const period of world.periods) {
    const words = `${period.from} to ${period.to}${period.by ?? ""}${period.formType ?? ""}`;
    const expected = Object.fromEntries(
      Object.entries(period.lines).map(([line, number]) => [line, numberOf(number)]),
    );
    const numbers = await readPeriod(stage, period, year);
    if (period.from.startsWith("T"))
      for (const line of ["shelter_people", "shelter_nights", "stays_begun"])
        expect([words, line, numbers[line] ?? 0]).toEqual([words, line, expected[line] ?? 0]);
    else expect([words, numbers]).toEqual([words, expected]);
    if (period.behind) {
      const lines = Object.keys(period.behind);
      expect([words, await readBehind(stage, loaded, period, year, lines)]).toEqual([words, period.behind]);
    }
    if (period.gaps)
      expect([words, await readGapNames(stage, loaded, period, year)]).toEqual([words, period.gaps]);
  }
}

describe("the FVPSA report counts a world as worked out by hand:", () => {
  test.each(WORLDS.map((world, at) => [world.name, world, yearAt(at)] as const))(
    "%s",
    async (_, world, year) => {
      await expectWorld(world, year);
    },
  );

  test(TODAY_WORLD.name, async () => {
    await expectWorld(TODAY_WORLD, 2020);
  });
});
