import type { Call } from "@/lib/develop/bench/connection";
import { askJson } from "@/lib/develop/bench/load";
import type { Place } from "@/lib/develop/bench/place";

// Every way to request a list: each sort in both directions, each filter, each search.

export interface Variant {
  /** Variants of a group are reported as one figure, that of the slowest. */
  group: string;
  name: string;
  /** Requests a page, which may follow the row of an id; the parameters depend on the records of the place. */
  call: (terms: Terms, page: number, after?: number) => Call;
  kind: "sorted" | "search" | "similar" | "other";
  /** Whether its pages can follow a row (`canFollow` in lib/database/list.ts). */
  follows?: boolean;
}

/**
 * The values to filter and search by: the users with the most and fewest forms, and names that are common, rare and
 * unknown.
 */
export interface Terms {
  busyUser: number;
  idleUser: number;
  client: number;
  common: string;
  rare: string;
}

export async function termsOf({ database }: Place): Promise<Terms> {
  const one = async (sql: string) => (await database.query(sql)).rows[0]?.value;
  const byForms = "SELECT user_id AS value FROM forms GROUP BY 1 ORDER BY count(*)";
  const lastName = "SELECT lower(substring(name FROM '[[:alpha:]]+$')) AS value FROM clients GROUP BY 1";
  return {
    busyUser: await one(`${byForms} DESC, 1 LIMIT 1`),
    idleUser: await one(`${byForms}, 1 LIMIT 1`),
    client: await one("SELECT client_id AS value FROM forms GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1"),
    common: await one(`${lastName} ORDER BY count(*) DESC, 1 LIMIT 1`),
    rare: await one(
      `${lastName} HAVING length(lower(substring(name FROM '[[:alpha:]]+$'))) > 5 ORDER BY count(*), 1 LIMIT 1`,
    ),
  };
}

type Filters = Record<string, (terms: Terms) => Record<string, string | number>>;

const FORM_SORTS = ["client", "advocate", "formType", "serviceStatus", "serviceOn"];
const FORM_FILTERS: Filters = {
  unreconciled: () => ({}),
  reconciled: () => ({ formStatus: "reconciled" }),
  "both statuses": () => ({ formStatus: "all" }),
  "unreconciled of the busiest": ({ busyUser }) => ({ userId: busyUser }),
  "reconciled of the busiest": ({ busyUser }) => ({ formStatus: "reconciled", userId: busyUser }),
  "reconciled of the least busy": ({ idleUser }) => ({ formStatus: "reconciled", userId: idleUser }),
  "reconciled of a form type": () => ({ formStatus: "reconciled", formTypeId: 3 }),
  "reconciled not served": () => ({ formStatus: "reconciled", serviceStatus: "Not Served" }),
  "reconciled in a month": () => ({ formStatus: "reconciled", from: "2024-03-01", to: "2024-03-31" }),
  "reconciled in a year": () => ({ formStatus: "reconciled", from: "2024-01-01", to: "2024-12-31" }),
  "reconciled from a day on": () => ({ formStatus: "reconciled", from: "2026-01-01" }),
  "reconciled until a day": () => ({ formStatus: "reconciled", to: "2019-12-31" }),
  "reconciled of one client": ({ client }) => ({ formStatus: "reconciled", clientId: client }),
  returned: () => ({ returned: "true" }),
};
const CLIENT_SORTS = ["name", "advocate", "createdOn"];
const CLIENT_FILTERS: Filters = {
  all: () => ({}),
  "of the busiest": ({ busyUser }) => ({ userId: busyUser }),
};
const USER_SORTS = ["fullName", "email", "role", "lastLoginAt"];
const USER_FILTERS: Filters = { all: () => ({}), active: () => ({ status: "active" }) };

const SEARCHES: Record<string, (terms: Terms) => string> = {
  common: ({ common }) => common,
  rare: ({ rare }) => rare,
  "two letters": () => "an",
  none: () => "qqzzxx",
};

const get = (path: string): Call => ({ method: "GET", path });

function query(
  parts: Record<string, string | number>,
  filters: Record<string, string | number> = {},
): string {
  const pairs = Object.entries(filters).map(([name, value]) => [`filters[${name}]`, String(value)]);
  return new URLSearchParams([
    ...Object.entries(parts).map(([key, value]) => [key, String(value)]),
    ...pairs,
  ]).toString();
}

function sorted(list: string, sorts: string[], filters: Filters): Variant[] {
  return Object.entries(filters).flatMap(([filter, filtersOf]) =>
    ["", ...sorts].flatMap((sort) =>
      (sort ? ["asc", "desc"] : [""]).map(
        (order): Variant => ({
          kind: "sorted",
          follows: sort !== "lastLoginAt" && !(sort === "client" && / (month|year|day)/.test(filter)),
          group: `${list}, ${filter}`,
          name: sort ? `${sort} ${order}` : "as it opens",
          call: (terms, page, after) =>
            get(
              `/api/${list}?${query({ page, ...(sort && { sort, order }), ...(after && { after }) }, filtersOf(terms))}`,
            ),
        }),
      ),
    ),
  );
}

const searches = (list: string, filters: Record<string, string> = {}): Variant[] =>
  Object.entries(SEARCHES).map(([name, text]) => ({
    kind: "search",
    group: `${list}, search`,
    name: [name, ...Object.values(filters)].join(", "),
    call: (terms, page) => get(`/api/${list}?${query({ page, search: text(terms) }, filters)}`),
  }));

export const variants = (): Variant[] => [
  ...sorted("forms", FORM_SORTS, FORM_FILTERS),
  ...searches("forms"),
  ...searches("forms", { formStatus: "reconciled" }),
  ...sorted("clients", CLIENT_SORTS, CLIENT_FILTERS),
  ...searches("clients"),
  ...sorted("users", USER_SORTS, USER_FILTERS),
  ...searches("users"),
  ...Object.entries(SEARCHES).map(
    ([name, text]): Variant => ({
      kind: "search",
      group: "client picker, search",
      name,
      call: (terms) => ({ method: "POST", path: "/api/clients/search", body: { search: text(terms) } }),
    }),
  ),
  ...["Maria Smith", "Katherine O'Brien-Nunez", "Jon Jonson", "Qqzz Xxqq"].map(
    (name): Variant => ({
      kind: "similar",
      group: "similar names",
      name,
      call: () => ({ method: "POST", path: "/api/clients/similar", body: { name } }),
    }),
  ),
  {
    kind: "other",
    group: "resource list of clients",
    name: "",
    call: () => get("/api/resource_lists/clients"),
  },
];

/**
 * The number of the last page, asked for past page 400 since the count is bounded before it (contract §7); 1 for what
 * has no pages.
 */
export async function lastPage({ product }: Place, terms: Terms, variant: Variant): Promise<number> {
  const { meta } = await askJson(product, variant.call(terms, 401));
  return meta?.totalPages ?? 1;
}

/** The id of the last row of a page, for the page that follows it. */
export async function lastOf(
  { product }: Place,
  terms: Terms,
  variant: Variant,
  page: number,
): Promise<number> {
  const answer = await askJson(product, variant.call(terms, page));
  return Object.values(answer).find(Array.isArray)?.at(-1).id;
}
