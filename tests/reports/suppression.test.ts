import { describe, expect, test } from "vitest";
import { PLACE_LINES, type ReportKey, reports } from "@/lib/reports/definitions";
import type { ExactReport } from "@/lib/reports/schema";
import { suppressSmallCounts } from "@/lib/reports/suppression";

// Copies for sharing withhold 1 to 4, and what these could be computed from.

/** Returns a report with these counts and 0 everywhere else. */
const reportOf = (key: ReportKey, counts: Record<string, number>): ExactReport => ({
  key,
  title: "",
  from: "2026-07-01",
  to: "2026-09-30",
  notes: [],
  sections: reports[key].sections.map((section) => ({
    key: section.key,
    title: section.title,
    lines: section.lines.map((line) => ({ ...line, count: counts[line.key] ?? 0 })),
  })),
});

/** Returns the text of each line in a copy for sharing. */
const copyOf = (key: ReportKey, counts: Record<string, number>): Map<string, string> => {
  const { report, marks } = suppressSmallCounts(reportOf(key, counts));
  return new Map(
    report.sections.flatMap(({ lines }) =>
      lines.map(({ key: line, count }) => [line, count === null ? (marks.get(line) ?? "") : String(count)]),
    ),
  );
};

const TOO_FEW = "too few to show";
/** Blocks of 40 new people that hide nothing. */
const FORTY = { race_asian: 40, gender_female: 40, age_25_59: 40 };

type Case = [string, ReportKey, Record<string, number>, Record<string, string>];
describe("a copy for sharing shows", () => {
  test.each<Case>([
    [
      "1 to 4 as <5, and 0 and 5 as they are",
      "pmt",
      { individuals_served: 40, victim_arson: 1, victim_robbery: 4, victim_other: 5 },
      {
        individuals_served: "40",
        victim_arson: "<5",
        victim_robbery: "<5",
        victim_other: "5",
        victim_dui_dwi: "0",
      },
    ],
    [
      "* for the next smallest cell if the total would reveal the only small one",
      "pmt",
      { ...FORTY, individuals_new: 40, gender_female: 30, gender_male: 8, gender_other: 2 },
      { gender_female: "30", gender_male: "*", gender_other: "<5", individuals_new: "40", race_asian: "40" },
    ],
    [
      "two small cells as they are, which hide each other",
      "pmt",
      { ...FORTY, individuals_new: 40, race_asian: 37, race_multiple: 2, race_some_other: 1 },
      { race_asian: "37", race_multiple: "<5", race_some_other: "<5" },
    ],
    [
      "too few to show for a block whose total is small",
      "pmt",
      {
        individuals_served: 9,
        individuals_new: 4,
        race_asian: 4,
        gender_male: 1,
        gender_female: 3,
        age_0_12: 4,
      },
      {
        individuals_new: "<5",
        race_asian: TOO_FEW,
        race_multiple: TOO_FEW,
        gender_male: TOO_FEW,
        age_not_tracked: TOO_FEW,
      },
    ],
    [
      "too few to show for five cells of 1 with a total of 5",
      "pmt",
      {
        individuals_served: 5,
        individuals_new: 5,
        age_25_59: 5,
        gender_female: 5,
        race_asian: 1,
        race_multiple: 1,
        race_some_other: 1,
        race_hispanic_latino: 1,
        race_not_reported: 1,
      },
      { individuals_new: "5", race_asian: TOO_FEW, race_not_tracked: TOO_FEW, gender_female: "5" },
    ],
    [
      "too few to show for two cells of 4 next to a shown third",
      "pmt",
      { ...FORTY, individuals_new: 40, gender_male: 4, gender_other: 4, gender_female: 32 },
      { gender_male: TOO_FEW, gender_other: TOO_FEW, gender_female: TOO_FEW, individuals_new: "40" },
    ],
    [
      "too few to show if a small cell and a withheld one have one solution, 1 and 5",
      "pmt",
      { ...FORTY, individuals_new: 40, gender_male: 1, gender_other: 5, gender_female: 34 },
      { gender_male: TOO_FEW, gender_other: TOO_FEW, gender_female: TOO_FEW, race_asian: "40" },
    ],
    [
      "cells of 3 and 4 as they are, because 4 and 3 fit, too",
      "pmt",
      { ...FORTY, individuals_new: 40, gender_male: 3, gender_other: 4, gender_female: 33 },
      { gender_male: "<5", gender_other: "<5", gender_female: "33" },
    ],
    [
      "no withheld total that follows from another block",
      "pccd",
      {
        ...FORTY,
        individuals_served: 42,
        individuals_new: 40,
        individuals_continuing: 2,
        individuals_primary: 42,
      },
      {
        individuals_continuing: "<5",
        individuals_new: "*",
        individuals_served: "42",
        race_asian: "*",
        gender_female: "*",
        age_25_59: "*",
      },
    ],
    [
      "the smallest cell of another block as * if its total is withheld",
      "pccd",
      {
        individuals_served: 42,
        individuals_new: 40,
        individuals_continuing: 2,
        individuals_primary: 42,
        race_asian: 30,
        race_multiple: 10,
        gender_female: 40,
        age_25_59: 33,
        age_60_plus: 7,
      },
      { race_asian: "30", race_multiple: "*", age_25_59: "33", age_60_plus: "*" },
    ],
    [
      "too few to show for new and continuing people if four of each are served",
      "pccd",
      {
        individuals_served: 8,
        individuals_new: 4,
        individuals_continuing: 4,
        individuals_primary: 8,
        race_asian: 4,
      },
      {
        individuals_served: "8",
        individuals_new: TOO_FEW,
        individuals_continuing: TOO_FEW,
        race_asian: TOO_FEW,
      },
    ],
    [
      "* for served victims next to a few partially served ones, which add up to the primary victims",
      "pccd",
      {
        individuals_served: 40,
        individuals_continuing: 40,
        individuals_primary: 40,
        vawa_served: 37,
        vawa_partially_served: 3,
        vawa_not_served: 9,
      },
      { individuals_primary: "40", vawa_served: "*", vawa_partially_served: "<5", vawa_not_served: "9" },
    ],
    [
      "no small age that the lines of places would reveal",
      "fvpsa",
      {
        people_new: 21,
        race_asian: 21,
        sex_female: 21,
        age_0_12: 7,
        age_18_24: 3,
        age_25_59: 11,
        shelter_adults: 6,
        nonshelter_adults: 8,
        shelter_children: 7,
        shelter_people: 13,
      },
      { age_18_24: "<5", people_new: "21", race_asian: "21" },
    ],
    [
      "small nights and times as <5",
      "fvpsa",
      { shelter_nights: 4, stays_begun: 1, hotline_contacts: 5, unmet_adults: 2 },
      { shelter_nights: "<5", stays_begun: "<5", hotline_contacts: "5", unmet_adults: "<5" },
    ],
  ])("%s", (_, report, counts, expected) => {
    const copy = copyOf(report, counts);
    expect(Object.fromEntries(Object.keys(expected).map((key) => [key, copy.get(key)]))).toEqual(expected);
  });
});

/** The sums that a reader of a copy knows: the lines on the left add up to those on the right. */
type Equation = [left: readonly string[], right: readonly string[]];
const section = (report: ReportKey, name: string) =>
  reports[report].sections.find(({ key }) => key === name)?.lines.map(({ key }) => key) ?? [];
const ofPopulation: Equation[] = [
  [["individuals_served"], ["individuals_new", "individuals_continuing"]],
  [["individuals_served"], ["individuals_primary", "individuals_significant_other"]],
  [["individuals_primary"], ["vawa_served", "vawa_partially_served"]],
];
const blocks = (report: ReportKey, total: string, names: readonly string[]): Equation[] =>
  names.map((name) => [[total], section(report, name)]);
const EQUATIONS: Record<ReportKey, Equation[]> = {
  pmt: blocks("pmt", "individuals_new", ["race", "gender", "age"]),
  pccd: [...ofPopulation, ...blocks("pccd", "individuals_new", ["race", "gender", "age"])],
  fvpsa: [
    ...blocks("fvpsa", "people_new", ["race", "sex", "age"]),
    [["people_new"], PLACE_LINES],
    [["shelter_people"], ["shelter_adults", "shelter_children", "shelter_age_unknown"]],
    [
      ["shelter_adults", "nonshelter_adults"],
      ["age_18_24", "age_25_59", "age_60_plus"],
    ],
    [
      ["shelter_children", "nonshelter_children"],
      ["age_0_12", "age_13_17"],
    ],
    [
      ["shelter_age_unknown", "nonshelter_age_unknown"],
      ["age_not_reported", "age_not_tracked"],
    ],
  ],
};

/**
 * Returns true if other counts than the given ones fit the copy and the equations, with another one on `line`. It searches for
 * counts that differ by 1 on as few lines as possible.
 */
function hasOtherSolution(
  line: string,
  counts: Record<string, number>,
  copy: ReadonlyMap<string, string>,
  equations: readonly Equation[],
): boolean {
  const ranges = new Map<string, [number, number]>([
    ["<5", [1, 4]],
    ["*", [5, 9_999]],
    [TOO_FEW, [0, 9_999]],
  ]);
  const isPossible = (key: string, value: number) => {
    const [least, most] = ranges.get(copy.get(key) ?? "") ?? [1, 0];
    return value >= least && value <= most;
  };
  const search = (others: ReadonlyMap<string, number>, left: number): boolean => {
    const sum = (keys: readonly string[]) =>
      keys.reduce((total, key) => total + (others.get(key) ?? counts[key] ?? 0), 0);
    const broken = equations.find(([left, right]) => sum(left) !== sum(right));
    if (!broken || left === 0) return !broken;
    return broken
      .flat()
      .filter((key) => !others.has(key))
      .some((key) =>
        [1, -1].some((change) => {
          const value = (counts[key] ?? 0) + change;
          return isPossible(key, value) && search(new Map([...others, [key, value]]), left - 1);
        }),
      );
  };
  return [0, 1, 2, 3, 4, 5, 6, 7].some((more) =>
    [1, -1].some((change) => {
      const value = (counts[line] ?? 0) + change;
      return isPossible(line, value) && search(new Map([[line, value]]), more);
    }),
  );
}

/** Returns a function that returns whole numbers from 0 to `most`, the same for each seed. */
function randomFrom(seed: number) {
  let state = seed;
  return (most: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * (most + 1));
  };
}

/** Returns the counts of random people. Most of them are alike, so that small numbers are frequent. */
function randomCounts(report: ReportKey, seed: number): Record<string, number> {
  const random = randomFrom(seed);
  const counts: Record<string, number> = {};
  const add = (...keys: readonly string[]) => {
    for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
  };
  const kinds = random(3);
  const oneOf = (keys: readonly string[]) =>
    keys[Math.min(random(keys.length - 1), random(9) > kinds ? 1 : 99)] ?? "";
  const people = [4, 9, 20, 60][random(3)] ?? 0;
  for (let person = 0; person < people; person++) {
    if (report === "fvpsa") {
      const age = oneOf(section(report, "age"));
      const place = random(2) > 0 ? "shelter" : "nonshelter";
      const kind = {
        age_0_12: "children",
        age_13_17: "children",
        age_not_reported: "age_unknown",
        age_not_tracked: "age_unknown",
      };
      add("people_new", age, oneOf(section(report, "race")), oneOf(section(report, "sex")));
      add(`${place}_${(kind as Record<string, string>)[age] ?? "adults"}`);
      if (place === "shelter") add("shelter_people");
      continue;
    }
    add("individuals_served");
    if (random(5) > 0)
      add("individuals_new", ...["race", "gender", "age"].map((name) => oneOf(section(report, name))));
    else add("individuals_continuing");
    if (random(9) === 0) add("individuals_significant_other");
    else add("individuals_primary", random(7) === 0 ? "vawa_partially_served" : "vawa_served");
  }
  return counts;
}

describe("no number that a copy for sharing withholds can be determined", () => {
  test.each(
    (["pmt", "pccd", "fvpsa"] as const).flatMap((report) =>
      Array.from({ length: 3 }, (_, part): [ReportKey, number] => [report, part]),
    ),
  )("in 50 random copies of %s, part %i", (report, part) => {
    const equations = EQUATIONS[report];
    for (let seed = part * 50; seed < part * 50 + 50; seed++) {
      const counts = randomCounts(report, seed);
      const copy = copyOf(report, counts);
      for (const [key, text] of copy) {
        const count = counts[key] ?? 0;
        if (!Number.isNaN(Number(text))) {
          expect([seed, key, text, count > 0 && count < 5]).toEqual([seed, key, String(count), false]);
          continue;
        }
        if (text === "*") expect([seed, key, count >= 5]).toEqual([seed, key, true]);
        if (count === 0) expect([seed, key, text]).toEqual([seed, key, TOO_FEW]);
        else
          expect([seed, key, text, hasOtherSolution(key, counts, copy, equations)]).toEqual([
            seed,
            key,
            text,
            true,
          ]);
      }
    }
  });

  test("the solver finds the numbers of a copy that withholds too little", () => {
    const counts = {
      individuals_new: 5,
      race_asian: 1,
      race_multiple: 4,
      gender_male: 1,
      gender_female: 1,
      gender_other: 3,
      age_0_12: 5,
    };
    const copy = new Map(
      Object.entries({
        individuals_new: "5",
        race_asian: "<5",
        race_multiple: "4",
        gender_male: "<5",
        gender_female: "<5",
        gender_other: "<5",
      }),
    );
    const found = ["race_asian", "gender_male", "gender_other"].map((key) =>
      hasOtherSolution(key, counts, copy, EQUATIONS.pmt),
    );
    expect(found).toEqual([false, true, true]);
  });
});
