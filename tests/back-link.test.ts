import { describe, expect, test } from "vitest";
import { backTo, backToOrigin, fromRecords, fromThread, type Search } from "@/lib/core/api/back-link";
import { pageQuery } from "@/lib/core/api/list-query";
import { fromQuery } from "@/lib/core/api/query";
import { formListQuery } from "@/lib/forms/api-schema";

// The way back from a record to the list, or to the client's page, from which it was opened.

/** Returns the query of the page that a link with this query opens. */
const opened = (query: string): Search => Object.fromEntries(new URLSearchParams(query));

describe("a form that was opened", () => {
  test.each([
    ["from a list", { from: "search=Mo&sort=client" }, "/forms?search=Mo&sort=client"],
    ["by its address", {}, "/forms"],
    ["from a client's page", opened(fromThread(5, {})), "/clients/5"],
    [
      "from a filtered client's page",
      opened(fromThread(5, { type: "3", year: "2025" })),
      "/clients/5?type=3&year=2025",
    ],
    [
      "from a client's page that was opened from a list",
      opened(fromThread(5, { from: "search=Mo" })),
      "/clients/5?from=search%3DMo",
    ],
    [
      "from a row of a report's list",
      opened(fromRecords("/reports/pmt/gaps/race", "?from=2026-07-01&to=2026-09-30&page=2", 3)),
      "/reports/pmt/gaps/race?from=2026-07-01&to=2026-09-30&page=2#row-3",
    ],
    ["with a foreign URL as the report's list", { from: "records=//evil.example&row=1" }, "/forms"],
    [
      "with a foreign address as the client",
      { from: "thread=&filters[clientId]=//evil.example" },
      "/clients/%2F%2Fevil.example",
    ],
  ])("%s leads back there", (_, search: Search, url) => {
    expect(backToOrigin("/forms", search)).toBe(url);
  });

  test("from a client's page has that client's forms as neighbors, and the forms list after a save", () => {
    const search = opened(fromThread(5, { year: "2025" }));
    const query = pageQuery(formListQuery, opened(String(search.from)));
    expect(query.filters).toMatchObject({ clientId: 5, formStatus: "all" });
    expect(backTo("/forms", search)).toBe("/forms?filters[clientId]=5&filters[formStatus]=all");
    expect(fromQuery(search)).toBe(fromThread(5, { year: "2025" }));
  });

  test.each([
    ["a list", fromQuery({ from: `search=${"x".repeat(14_000)}` })],
    ["a client's page", fromThread(5, { type: "x".repeat(14_000) })],
    ["a report's list", fromRecords("/reports/pmt/gaps/race", `?from=${"x".repeat(14_000)}`, 1)],
  ])("from %s with a very long state has a link without it, because each row repeats it", (_, query) => {
    expect(query).toBe("");
  });
});
