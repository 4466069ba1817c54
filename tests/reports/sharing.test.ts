import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/core/database/client";
import { type ReportKey, reports } from "@/lib/reports/definitions";
import type { ExactReport } from "@/lib/reports/schema";
import { suppressSmallCounts } from "@/lib/reports/suppression";
import { call } from "@/tests/call";
import { addClient, addForm, makeReporter, type Reporter } from "./world";

/** Returns a report with these counts and 0 everywhere else. */
const reportOf = (key: ReportKey, counts: Record<string, number>): ExactReport => ({
  ...{ key, title: "", from: "2026-07-01", to: "2026-09-30", notes: [] },
  sections: reports[key].sections.map((section) => ({
    key: section.key,
    title: section.title,
    lines: section.lines.map((line) => ({ ...line, count: counts[line.key] ?? 0 })),
  })),
});

/** Returns the text of each line in a copy for sharing. */
const copyOf = (report: ExactReport) => {
  const { report: shared, marks } = suppressSmallCounts(report);
  return new Map(
    shared.sections.flatMap(({ lines }) =>
      lines.map(({ key, count }) => [key, count === null ? marks.get(key) : String(count)]),
    ),
  );
};

describe("a copy for sharing", () => {
  test("shows <5 for 1 to 4, and 0 and 5 unchanged", () => {
    const copy = copyOf(
      reportOf("pmt", { individuals_served: 40, victim_arson: 1, victim_robbery: 4, victim_other: 5 }),
    );
    expect(
      ["victim_arson", "victim_robbery", "victim_other", "victim_terrorism"].map((key) => copy.get(key)),
    ).toEqual(["<5", "<5", "5", "0"]);
  });

  test("withholds the next smallest line if the total would reveal the only small one", () => {
    const copy = copyOf(
      reportOf("pmt", {
        ...{ individuals_served: 30, individuals_new: 30 },
        ...{ gender_male: 2, gender_female: 20, gender_other: 8 },
        ...{ race_asian: 1, race_multiple: 2, race_white_non_latino: 27 },
        age_25_59: 30,
      }),
    );
    // 30 - 20 - 8 would be 2.
    expect(["gender_male", "gender_other", "gender_female"].map((key) => copy.get(key))).toEqual([
      "<5",
      "*",
      "20",
    ]);
    // Two small counts hide each other.
    expect(["race_asian", "race_multiple", "race_white_non_latino"].map((key) => copy.get(key))).toEqual([
      "<5",
      "<5",
      "27",
    ]);
    expect(copy.get("individuals_new")).toBe("30");
  });

  test("withholds a line that the lines of places and ages would reveal together", () => {
    const ages = { age_0_12: 7, age_18_24: 3, age_25_59: 11 };
    const copy = copyOf(
      reportOf("fvpsa", {
        ...{ people_new: 21, race_white_non_latino: 21, sex_female: 21, ...ages },
        ...{ shelter_adults: 6, nonshelter_adults: 8, shelter_children: 7 },
      }),
    );
    expect(copy.get("age_18_24")).toBe("<5");
    // 6 + 8 - 11 would be 3.
    const adults = ["shelter_adults", "nonshelter_adults", "age_25_59"];
    expect(adults.map((key) => copy.get(key))).toContain("*");
  });

  test("continues if a withheld line is part of another sum", () => {
    const copy = copyOf(
      reportOf("pccd", {
        ...{ individuals_served: 32, individuals_new: 30, individuals_continuing: 2 },
        ...{ individuals_primary: 32 },
        ...{ gender_female: 30, race_white_non_latino: 30, age_25_59: 30 },
      }),
    );
    expect(copy.get("individuals_continuing")).toBe("<5");
    expect(copy.get("individuals_new")).toBe("*");
    // Each block adds up to the new individuals.
    for (const key of ["gender_female", "race_white_non_latino", "age_25_59"])
      expect(copy.get(key)).toBe("*");
  });

  test("withholds the served line of VAWA next to a small partially served line, as both add up to the primary victims", () => {
    const copy = copyOf(
      reportOf("pccd", {
        ...{ individuals_served: 40, individuals_continuing: 40, individuals_primary: 40 },
        ...{ vawa_served: 37, vawa_partially_served: 3, vawa_not_served: 9 },
      }),
    );
    expect(
      ["individuals_primary", "vawa_served", "vawa_partially_served", "vawa_not_served"].map((key) =>
        copy.get(key),
      ),
    ).toEqual(["40", "*", "<5", "9"]);
  });
});

describe("a copy of FVPSA for sharing", () => {
  const ALL = { sex_female: 30, race_white_non_latino: 30, age_25_59: 30 };
  const shown = (counts: Record<string, number>, ...keys: string[]) => {
    const copy = copyOf(reportOf("fvpsa", counts));
    return keys.map((key) => copy.get(key));
  };

  test.each([
    [
      "the lines by place and age add up to the new people",
      { ...ALL, people_new: 30, nonshelter_adults: 21, nonshelter_children: 7, nonshelter_age_unknown: 2 },
      { nonshelter_adults: "21", nonshelter_children: "*", nonshelter_age_unknown: "<5", people_new: "30" },
    ],
    [
      "each demographic block adds up to the new people",
      {
        ...ALL,
        people_new: 30,
        nonshelter_adults: 30,
        sex_female: 22,
        sex_male: 8,
        race_asian: 3,
        race_white_non_latino: 27,
      },
      { sex_male: "8", race_asian: "<5", race_white_non_latino: "*", people_new: "30" },
    ],
    [
      "the new in shelter are all in shelter in the first quarter of a year",
      {
        ...ALL,
        people_new: 30,
        shelter_adults: 10,
        shelter_children: 3,
        nonshelter_adults: 13,
        nonshelter_age_unknown: 4,
        shelter_people: 13,
      },
      { shelter_children: "<5", nonshelter_age_unknown: "<5", shelter_adults: "*", shelter_people: "13" },
    ],
    [
      "others in shelter hide the new ones in later quarters",
      {
        ...ALL,
        people_new: 30,
        shelter_adults: 10,
        shelter_children: 3,
        nonshelter_adults: 13,
        nonshelter_age_unknown: 4,
        shelter_people: 14,
      },
      { shelter_children: "<5", shelter_adults: "10", shelter_people: "14" },
    ],
    [
      "nights and times of 1 to 4 are small numbers, too",
      { shelter_nights: 4, stays_begun: 1, hotline_contacts: 5, unmet_adults: 2, advocacy_children_times: 3 },
      {
        shelter_nights: "<5",
        stays_begun: "<5",
        hotline_contacts: "5",
        unmet_adults: "<5",
        advocacy_children_times: "<5",
      },
    ],
  ] as [string, Record<string, number>, Record<string, string>][])(
    "shows what is safe: %s",
    (_, counts, expected) => {
      expect(shown(counts, ...Object.keys(expected))).toEqual(Object.values(expected));
    },
  );
});

describe("a report as CSV", () => {
  test("names its filters, and in its file name only their ids", async () => {
    const { owner, viewer } = await makeReporter();
    const { id: type } = await db().formType.findUniqueOrThrow({ where: { name: "Phone" } });
    const period = "from=2001-10-01&to=2001-12-31";
    const read = (query: string) => call(viewer.cookie, "GET", `/api/reports/pmt/csv?${period}&${query}`);
    const filtered = await read(`userId=${owner.id}&formTypeId=${type}`);
    expect(filtered.headers.get("content-disposition")).toBe(
      `attachment; filename="pmt-2001-10-01-2001-12-31-advocate-${owner.id}-type-${type}.csv"`,
    );
    expect(filtered.body).toContain(
      `12/31/2001,Advocate: ${owner.firstName} ${owner.lastName},Form Type: Phone\r\n`,
    );
    const copy = await read("share=true");
    expect(copy.headers.get("content-disposition")).toContain('2001-12-31-copy.csv"');
    expect(copy.body).toContain("12/31/2001,Copy for sharing\r\n");
  });

  let world: Reporter;
  beforeAll(async () => {
    world = await makeReporter();
    const ann = await addClient(world.owner);
    await addForm(world.owner, ann, "2001-10-05", [["CRISIS", 30]]);
  });
  const csv = (query: string, path = "pmt") =>
    call(world.viewer.cookie, "GET", `/api/reports/${path}/csv?${query}`);

  test("has every line with its exact count, and no personal data in its file name", async () => {
    const { status, body, headers } = await csv("from=2001-10-01&to=2001-12-31");
    expect(status).toBe(200);
    expect(headers.get("content-disposition")).toBe('attachment; filename="pmt-2001-10-01-2001-12-31.csv"');
    const lines = body.split("\r\n");
    expect(lines[0]).toBe("Section,Line,Label,Unit,Count");
    expect(body).toMatch(/\r\n[^\r,]*,10\/01\/2001 to 12\/31\/2001\r\n/);
    expect(body).toContain("Individuals served,individuals_served,Individuals served,individuals,1\r\n");
    expect(body).toContain("Race and ethnicity,race_not_tracked,Not tracked,new,0\r\n");
    expect(body).not.toMatch(/Client \d/);
  });

  test("shows small numbers only as <5 in a copy for sharing, which covers a whole quarter without filters", async () => {
    const { body } = await csv("from=2001-10-01&to=2001-12-31&share=true");
    expect(body).toContain("Individuals served,individuals_served,Individuals served,individuals,<5\r\n");
    for (const query of ["from=2001-10-01&to=2001-11-30", "from=2001-10-01&to=2001-12-31&userId=1"]) {
      const refused = await csv(`${query}&share=true`);
      expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ["share"]]);
    }
  });

  test("for the time report has one row per day and code", async () => {
    const { body } = await csv(`from=2001-10-01&to=2001-12-31&userId=${world.owner.id}`, "time");
    expect(body.split("\r\n")).toEqual([
      "Day,Code,Minutes",
      "2001-10-05,CRISIS,30",
      "Total,,30",
      "Total,Other Service,0",
      "",
    ]);
  });
});
