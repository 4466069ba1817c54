import { describe, expect, test } from "vitest";
import { clientColumns } from "@/lib/clients/columns";
import { rowOf } from "@/lib/core/fields/columns";
import { formColumns, isServiceColumn, linesOf } from "@/lib/forms/columns";
import { lookupColumns } from "@/lib/lookups/columns";
import { lookupKeys } from "@/lib/lookups/registry";

// The columns of whole records in files, which exports write and imports read.

const files = { clients: clientColumns(), forms: formColumns() };

describe("the columns of a file", () => {
  test("have distinct labels, and start with the id", () => {
    for (const columns of [...Object.values(files), ...lookupKeys.map(lookupColumns)]) {
      const labels = columns.map(({ label }) => label);
      expect(new Set(labels).size, labels.join()).toBe(labels.length);
      expect(labels[0]).toBe("Id");
    }
  });

  test("contain no password, no version and nothing internal to the API", () => {
    const labels = [...Object.values(files), ...lookupKeys.map(lookupColumns)].flat().map(({ path }) => path);
    expect(labels.flat().filter((name) => /password|secret|lockVersion|_destroy/i.test(name))).toEqual([]);
  });
});

test("a form is exported as one line per service, or one line if it has no services", () => {
  const service = (minutes: number) => ({ id: minutes, serviceCodeId: 7, minutes, magisterial: false });
  const form = (rows: object[]) =>
    ({ id: 3, serviceEntry: { id: 1, otherService: "Taxi", serviceProvidedEntries: rows } }) as never;
  const names = new Map([["service_codes 7", "ADV"]]);
  const shown = formColumns().filter(({ label }) =>
    /^Id$|Other Service$|^Services: (Code|Minutes)/.test(label),
  );
  const cells = (rows: object[]) => linesOf(form(rows)).map((line) => rowOf(shown, line, names));
  expect(cells([service(15), service(30)])).toEqual([
    [3, "Taxi", "ADV", 15],
    [3, "Taxi", "ADV", 30],
  ]);
  expect(cells([])).toEqual([[3, "Taxi", "", ""]]);
  expect(
    formColumns()
      .filter(isServiceColumn)
      .map(({ label }) => label),
  ).toContain("Hotel Shelter: Adults");
});
