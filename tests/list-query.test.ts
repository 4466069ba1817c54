import { describe, expect, test } from "vitest";
import { pageMeta, pageQuery, queryObject } from "@/lib/core/api/list-query";
import { fieldErrors } from "@/lib/core/fields/problems";
import { formListQuery } from "@/lib/forms/api-schema";

const NO_FILTERS = {
  formStatus: "unreconciled",
  userId: null,
  formTypeId: null,
  serviceStatus: null,
  clientId: null,
  from: null,
  to: null,
  returned: false,
  answered: false,
};
const DEFAULTS = {
  page: 1,
  perPage: 25,
  after: null,
  search: "",
  sort: "serviceOn",
  order: "desc",
  filters: NO_FILTERS,
};

describe("a list page's URL", () => {
  test("without a query uses the defaults", () => {
    expect(pageQuery(formListQuery, {})).toEqual(DEFAULTS);
  });

  test("sets page, size, the previous row, search, sort and filters", () => {
    const pageState = {
      page: "2",
      perPage: "10",
      after: "7",
      search: "a",
      sort: "client",
      "filters[userId]": "3",
    };
    expect(pageQuery(formListQuery, { ...pageState, "filters[formStatus]": "reconciled" })).toEqual({
      page: 2,
      perPage: 10,
      after: 7,
      search: "a",
      sort: "client",
      order: "asc",
      filters: { ...NO_FILTERS, formStatus: "reconciled", userId: 3 },
    });
    const days = { "filters[from]": "03/01/2026", "filters[to]": "2026-12-31", "filters[clientId]": "" };
    expect(pageQuery(formListQuery, days).filters).toEqual({
      ...NO_FILTERS,
      from: "2026-03-01",
      to: "2026-12-31",
    });
  });

  test("with an invalid parameter uses its default and keeps the other parameters", () => {
    const nonsense = {
      page: "0",
      perPage: "9999",
      after: "x",
      sort: "up",
      order: "sideways",
      search: "x".repeat(300),
    };
    const filters = { "filters[userId]": "abc", "filters[formStatus]": "zzz", filters: "1", __proto__: "x" };
    expect(pageQuery(formListQuery, { ...nonsense, ...filters })).toEqual(DEFAULTS);
    expect(pageQuery(formListQuery, { ...nonsense, page: "3" })).toEqual({ ...DEFAULTS, page: 3 });
    const backwards = { "filters[from]": "2026-03-02", "filters[to]": "2026-03-01" };
    expect(pageQuery(formListQuery, { ...nonsense, ...backwards }).filters).toEqual({
      ...NO_FILTERS,
      from: "2026-03-02",
    });
  });

  test("with a repeated parameter uses the last one", () => {
    expect(pageQuery(formListQuery, { page: ["2", "4"], sort: undefined })).toMatchObject({ page: 4 });
  });
});

test("both spellings of a list filter have the same effect", () => {
  expect(queryObject(new URLSearchParams("filters[userId]=3&page=2"))).toEqual(
    queryObject(new URLSearchParams("filters.userId=3&page=2")),
  );
});

test("list filters that are malformed, unknown or not an id are refused by name", () => {
  const refusedParameters = (search: string) => {
    const { error } = formListQuery.safeParse(queryObject(new URLSearchParams(search)));
    return error && fieldErrors(formListQuery, error);
  };
  const malformed = { filters: "Filters must be written as filters[name]=value" };
  for (const search of [
    "filters=3",
    "filters[__proto__]=2",
    "filters[userId][]=3",
    "filters[]=3",
    "filters.user.id=3",
    "filters[=3",
  ])
    expect(refusedParameters(search), search).toEqual(malformed);
  expect(refusedParameters("filters[nope]=1")).toEqual({
    "filters.nope": "Nope is not a filter of this list",
  });
  for (const id of ["0", "-1", "abc", "2147483648", "99999999999"])
    expect(Object.keys(refusedParameters(`filters[userId]=${id}`) ?? {}), id).toEqual(["filters.userId"]);
  expect(
    refusedParameters("filters[userId]=2147483647&filters[formStatus]=&__proto__=1&other=1"),
  ).toBeUndefined();
  expect(refusedParameters("filters[userId]=")).toBeUndefined();
});

test("an empty list has one page, and at most seven page numbers are shown", () => {
  const query = { ...pageQuery(formListQuery, {}), perPage: 10 };
  expect(pageMeta(query, 0)).toMatchObject({ totalPages: 1, pageNumbers: [1], totalCount: 0 });
  expect(pageMeta({ ...query, page: 50 }, 1000).pageNumbers).toEqual([47, 48, 49, 50, 51, 52, 53]);
  expect(pageMeta({ ...query, page: 100 }, 1000).pageNumbers).toEqual([94, 95, 96, 97, 98, 99, 100]);
});
