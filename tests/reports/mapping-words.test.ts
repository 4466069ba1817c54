import { expect, test } from "vitest";
import { EARLIEST_DAY } from "@/lib/core/text/format";
import { NO_LINE } from "@/lib/lookups/report-lines";
import { hasDays, lineName, type Mapping, validWords } from "@/lib/reports/mapping";

test.each([
  ["pmt", "gender", "gender_female", "Female"],
  ["pmt", "gender", NO_LINE, "Not on any line"],
  // Sections B and E both have this line.
  ["pmt", "service_code", "b3_police_interview", "Police interview (B. Personal advocacy and accompaniment)"],
  ["pmt", "service_code", "a_line_of_an_older_version", "a_line_of_an_older_version"],
] as const)("in %s, a %s on the line %s is called “%s”", (report, kind, line, name) => {
  expect(lineName(report, kind, line)).toBe(name);
});

test.each([
  [EARLIEST_DAY, null, false, ""],
  ["2026-10-01", null, true, "from 10/01/2026"],
  [EARLIEST_DAY, "2026-09-30", true, "through 09/30/2026"],
  ["2026-10-01", "2026-12-31", true, "from 10/01/2026 through 12/31/2026"],
])("a mapping from %s through %s has days: %s, in words “%s”", (validFrom, validThrough, limited, words) => {
  const mapping: Mapping = {
    kind: "gender",
    source: "Female",
    formTypeId: null,
    line: "gender_female",
    validFrom,
    validThrough,
  };
  expect(hasDays(mapping)).toBe(limited);
  expect(validWords(mapping)).toBe(words);
});
