import * as z from "zod/mini";
import { anyDate, INT_MAX, searchText } from "@/lib/core/fields/validation";
import { isRecord } from "@/lib/core/objects";
import { JsonText } from "@/lib/core/text/json-text";

/** The rows of a page, unless the query sets another number. */
export const DEFAULT_PAGE_SIZE = 25;

const order = z.enum(["asc", "desc", ""]);

/** The rows of an empty page. */
export const NO_ITEMS = new JsonText<never[]>("[]");

/** The position of a page within its list. */
const meta = z.object({
  page: z.int(),
  currentPage: z.int(),
  perPage: z.int(),
  totalCount: z.int(),
  totalPages: z.int(),
  /** False: the list has more than `totalCount` rows, where counting stopped. */
  totalCountIsExact: z.boolean(),
  search: z.string(),
  sort: z.string(),
  order,
  pageNumbers: z.array(z.int()),
});
export type Meta = z.output<typeof meta>;

/** `{"forms": [...], "meta": {...}}`, a page of a list. */
export const listPage = <Name extends string, Item extends z.core.$ZodType>(name: Name, item: Item) =>
  z.object({ [name]: z.array(item), meta } as Record<Name, z.ZodMiniArray<Item>> & { meta: typeof meta });

export type ListQuery<Filters = unknown> = {
  page: number;
  perPage: number;
  /** The id of the last row of the previous page, if the caller has read that. The page then begins after this row. */
  after: number | null;
  search: string;
  sort: string;
  order: "asc" | "desc" | "";
  filters: Filters;
};

const integer = (max: number) =>
  z.pipe(
    z.pipe(z.string().check(z.regex(/^\d{1,10}$/, { error: "must be a whole number" })), z.transform(Number)),
    z.int().check(z.minimum(1), z.maximum(max)),
  );

/** A record's id as a path segment or a query value. */
export const idParam = integer(INT_MAX);
/** The path parameters of `/{collection}/{id}`. */
export const idParams = z.object({ id: idParam });

/** The parameters that choose a page of a list. */
export const paging = { page: z.optional(integer(INT_MAX)), perPage: z.optional(integer(100)) };

/** A filter of a list: a value of `schema`, or null when it is missing or blank. */
export const filter = <Schema extends z.core.$ZodType>(schema: Schema) =>
  z.pipe(
    z.pipe(
      z.transform((value: unknown) => (value === "" ? undefined : value)),
      z.optional(schema),
    ),
    z.transform((value) => value ?? null),
  );
/** A filter by a record's id. */
export const idFilter = () => filter(idParam);
/** A filter by a day. */
export const dayFilter = () => filter(anyDate());

/** Returns the schema of a list's query, from its sortable columns, its filters, and its default sort. */
export function listQuery<const Columns extends readonly string[], Filters extends z.core.$ZodShape>(
  columns: Columns,
  filters: Filters,
  initial: { sort?: Columns[number]; order?: "asc" | "desc" } = {},
) {
  const fields = z.object({
    ...paging,
    after: z.optional(idParam),
    search: searchText(),
    sort: z.optional(z.union([z.enum(columns), z.literal("")])),
    order: z.optional(order),
    filters: z.catchall(
      z.object(filters, { error: "must be written as filters[name]=value" }),
      z.undefined({ error: "is not a filter of this list" }),
    ),
  });
  return z.pipe(
    fields,
    z.transform((query): ListQuery<z.output<z.ZodMiniObject<Filters>>> => {
      const sort = query.sort || initial.sort || "";
      const fallback = query.sort ? "asc" : (initial.order ?? (sort ? "asc" : ""));
      return {
        page: query.page ?? 1,
        perPage: query.perPage ?? DEFAULT_PAGE_SIZE,
        after: query.after ?? null,
        search: query.search,
        sort,
        order: query.order || fallback,
        filters: (query as { filters: z.output<z.ZodMiniObject<Filters>> }).filters,
      };
    }),
  );
}

/**
 * Returns query parameters as an object: both `filters[userId]=3` and `filters.userId=3` become `{filters: {userId:
 * "3"}}`. Filters in any other notation become a string, which `listQuery` refuses.
 */
export function queryObject(params: URLSearchParams): Record<string, unknown> {
  const filters: [string, string][] = [];
  const others: [string, string][] = [];
  let malformed: string | undefined;
  for (const [key, value] of params) {
    const [, inBrackets, dotted] = /^filters(?:\[(\w+)\]|\.(\w+))$/.exec(key) ?? [];
    const name = inBrackets ?? dotted;
    // zod would drop `__proto__` silently, but an unknown filter must be refused.
    if (name && name !== "__proto__") filters.push([name, value]);
    else if (/^filters($|[[.])/.test(key)) malformed = value;
    else others.push([key, value]);
  }
  // Assignment to a parameter named `__proto__` would change the object's prototype.
  return { ...Object.fromEntries(others), filters: malformed ?? Object.fromEntries(filters) };
}

/** Parses the query of a page's URL. A value that the schema refuses is replaced by its default. */
export function pageQuery<Query>(
  schema: z.core.$ZodType<Query>,
  searchParams: Record<string, string | string[] | undefined>,
): Query {
  const pairs = Object.entries(searchParams).map(([key, value]) => [key, [value].flat().at(-1) ?? ""]);
  const query = queryObject(new URLSearchParams(pairs));
  // Rules between parameters are only checked when each parameter is valid by itself.
  for (;;) {
    const parsed = z.safeParse(schema, query);
    if (parsed.success) return parsed.data;
    for (const { path } of parsed.error.issues) {
      const [key, filter] = path;
      if (key !== "filters") delete query[String(key)];
      else if (filter === undefined) query.filters = {};
      else if (isRecord(query.filters)) delete query.filters[String(filter)];
    }
  }
}

const NUMBERS_SHOWN = 7;

/** Rows of a list are counted up to this number, or up to the requested page. */
export const COUNTED_ROWS_MAX = 10_000;

/** Returns the meta of a list's response. `counted` may be larger than the reported number. */
export function pageMeta(query: ListQuery, counted: number): Meta {
  const { page, perPage, search, sort, order } = query;
  const totalCountIsExact = counted <= COUNTED_ROWS_MAX || page * perPage > COUNTED_ROWS_MAX;
  const totalCount = totalCountIsExact ? counted : COUNTED_ROWS_MAX;
  const totalPages = Math.max(1, Math.ceil(totalCount / perPage));
  const current = Math.min(page, totalPages);
  const first = Math.max(
    1,
    Math.min(current - Math.floor(NUMBERS_SHOWN / 2), totalPages - NUMBERS_SHOWN + 1),
  );
  const last = Math.min(totalPages, first + NUMBERS_SHOWN - 1);
  const pageNumbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return {
    page,
    currentPage: page,
    perPage,
    totalCount,
    totalPages,
    totalCountIsExact,
    search,
    sort,
    order,
    pageNumbers,
  };
}
