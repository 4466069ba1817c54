import { stripVTControlCharacters } from "node:util";
import type { JSONReport, JSONReportSuite } from "@playwright/test/reporter";

/** The result of a test run: the number of tests that passed, and each failure in words. A skipped test is a failure. */
export interface Tally {
  passed: number;
  failures: string[];
}

/** Returns the tally of a Playwright run, from its JSON report. A test that passed only after a retry has failed. */
export function playwrightTally({ suites, errors }: JSONReport): Tally {
  const tally: Tally = {
    passed: 0,
    failures: errors.map(({ message }) => stripVTControlCharacters(message ?? "")),
  };
  const walk = (suite: JSONReportSuite): void => {
    suite.suites?.forEach(walk);
    for (const { file, line, title, tests } of suite.specs) {
      for (const { status, results } of tests) {
        if (status === "expected") tally.passed++;
        else
          tally.failures.push(
            `${file}:${line} › ${title}: ${stripVTControlCharacters(results.at(0)?.error?.message ?? status)}`,
          );
      }
    }
  };
  suites.forEach(walk);
  return tally;
}
