"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useOptimistic,
  useRef,
  useState,
  useTransition,
} from "react";
import type { Meta } from "@/lib/core/api/list-query";
import { fromQuery, readableQuery } from "@/lib/core/api/query";
import { EARLIEST_DAY, parseDate } from "@/lib/core/text/format";
import { Button, type Option, Select, STACKED } from "./controls";
import { LabeledDay } from "./plain-inputs";

/** True if a URL parameter is a filter. */
export const isFilter = (name: string): boolean => name.startsWith("filters[");

export type TableQuery = {
  params: URLSearchParams;
  /** Changes URL parameters (null removes one) and navigates in a transition. */
  set: (patch: Record<string, string | null>, how?: "push" | "replace") => void;
  refresh: () => void;
  /** True if the rows on the screen still belong to the previous URL. */
  pending: boolean;
};

/** The URL contains the state of a table, so that Back, reload and a shared link show the same rows. */
export function useTableQuery(): TableQuery {
  const router = useRouter();
  const pathname = usePathname();
  const [pending, startTransition] = useTransition();
  // The URL being navigated to, before its page has arrived: controls show it and further changes build on it.
  const [text, setText] = useOptimistic(useSearchParams().toString());
  const latest = useRef(text);
  latest.current = text;
  /** True if a new history entry is pending. A `replace` that overtakes it must push too, or the entry is lost. */
  const pushing = useRef(false);
  useEffect(() => {
    if (!pending) pushing.current = false;
  }, [pending]);

  return {
    params: new URLSearchParams(text),
    pending,
    set(patch, how = "push") {
      const params = new URLSearchParams(latest.current);
      // The parameter names the row before this page. Another page or order begins elsewhere.
      params.delete("after");
      for (const [key, value] of Object.entries(patch)) {
        if (value === null || value === "") params.delete(key);
        else params.set(key, value);
      }
      latest.current = params.toString();
      const query = readableQuery(params);
      pushing.current ||= how === "push";
      const by = pushing.current ? "push" : how;
      startTransition(() => {
        setText(params.toString());
        router[by](query ? `${pathname}?${query}` : pathname, { scroll: false });
      });
    },
    refresh() {
      startTransition(() => router.refresh());
    },
  };
}

/**
 * Returns the query `?from=…` for links from a list to a record, or "". The record's page uses it to lead back to the
 * list in its present state (`backTo` in lib/core/api/back-link.ts).
 */
export const useListState = (): string => fromQuery({ from: useSearchParams().toString() });

export const TableContext = createContext<TableQuery | null>(null);

/** Returns the query of the surrounding table. */
export function useTable(): TableQuery {
  const query = useContext(TableContext);
  if (!query) throw new Error("A filter must be in the toolbar of a DataTable");
  return query;
}

/**
 * The filters of a list. On a phone, all are behind one button with their number; on a wider screen, only `more` is.
 */
export function Filters({
  children,
  more,
  opensWith = [],
}: {
  children?: ReactNode;
  /** Less common filters, below the toolbar. */
  more?: ReactNode;
  /** The names of filters that open the others while they are active. */
  opensWith?: readonly string[];
}) {
  const { params } = useTable();
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOpen = chosen ?? opensWith.some((name) => params.has(`filters[${name}]`));
  const active = [...params].filter(([name, value]) => isFilter(name) && value).length;
  return (
    <>
      <div
        className={`sm:contents ${isOpen ? "max-sm:order-9998 max-sm:grid max-sm:w-full max-sm:grid-cols-2 max-sm:items-end max-sm:gap-3 max-sm:[&_.control]:w-full" : "max-sm:hidden"}`}
      >
        {children}
      </div>
      <Button
        aria-expanded={isOpen}
        onClick={() => setChosen(!isOpen)}
        className={more ? "max-sm:px-3" : "px-3 sm:hidden"}
      >
        <span>
          {more ? (
            <>
              <span className="max-sm:sr-only">More </span>
              <span className="max-sm:inline-block max-sm:first-letter:uppercase">filters</span>
            </>
          ) : (
            "Filters"
          )}
          {active > 0 && <span className="sm:hidden">{` (${active})`}</span>}
        </span>
      </Button>
      {more && isOpen && <div className="filter-panel">{more}</div>}
    </>
  );
}

/** A select in a table's toolbar that writes `filters[name]`. Its empty choice is `defaultValue`. */
export function TableFilter({
  name,
  label,
  options,
  placeholder = null,
  defaultValue = "",
  stacked = false,
}: {
  name: string;
  label: string;
  options: Option[];
  placeholder?: string | null;
  /** The choice that applies while the URL has no such parameter. */
  defaultValue?: string;
  /** True if the label is above the select, as it always is on a phone. */
  stacked?: boolean;
}) {
  const query = useTable();
  const key = `filters[${name}]`;
  return (
    <Select
      label={label}
      className={
        stacked
          ? STACKED
          : "items-center gap-2 max-sm:[&>label]:mb-1 max-sm:[&>label]:block max-sm:[&>label]:text-ink sm:flex sm:[&>select]:max-w-56"
      }
      options={options}
      placeholder={placeholder}
      value={query.params.get(key) ?? defaultValue}
      onChange={(value) => query.set({ [key]: value === defaultValue ? null : value, page: null })}
    />
  );
}

/** A day in a `filter-panel` that writes `filters[name]` as `YYYY-MM-DD`. */
export function TableDayFilter({ name, label }: { name: string; label: string }) {
  const query = useTable();
  const key = `filters[${name}]`;
  const value = query.params.get(key) ?? "";
  const [text, setText] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  // Back or a chip changes the URL. Typed text must not be overwritten by its own late arrival.
  if (value !== lastValue) {
    setLastValue(value);
    setText(value);
  }
  return (
    <LabeledDay
      label={label}
      marksClosed
      value={text}
      onChange={(day) => {
        setText(day);
        if (day === "" || (parseDate(day) ?? "") >= EARLIEST_DAY) query.set({ [key]: day, page: null });
      }}
    />
  );
}

/** The first and the last day of a list. They stay next to each other. */
export const TableDays = () => (
  <div className="flex gap-3 in-[.filter-panel]:contents max-sm:contents">
    <TableDayFilter name="from" label="From" />
    <TableDayFilter name="to" label="To" />
  </div>
);

/** Returns the page, size and sort in the URL, shown while that page is loading. */
export const requested = (
  params: URLSearchParams,
  meta: Meta,
): Pick<Meta, "page" | "perPage" | "sort" | "order"> => ({
  page: Number(params.get("page")) || 1,
  perPage: Number(params.get("perPage")) || meta.perPage,
  // Without a `sort` parameter the list's default applies, which only the server knows.
  ...(params.has("sort")
    ? { sort: params.get("sort") ?? "", order: params.get("order") === "desc" ? "desc" : "asc" }
    : { sort: meta.sort, order: meta.order }),
});
