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
import { EARLIEST_DAY, parseDate } from "@/lib/core/fields/format";
import { fromQuery, readableQuery } from "@/lib/core/fields/query";
import { Button, type Option, Select } from "./controls";
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

/** The button that shows and hides the less common filters, in a `filter-panel`. */
export function MoreFiltersButton({ open, onToggle }: { open: boolean; onToggle: () => void }) {
  return (
    <Button aria-expanded={open} onClick={onToggle} className="max-sm:px-3">
      <span>
        <span className="max-sm:sr-only">More </span>
        <span className="max-sm:inline-block max-sm:first-letter:uppercase">filters</span>
      </span>
    </Button>
  );
}

/** A select in a table's toolbar that writes `filters[name]`. Its empty choice is `defaultValue`. */
export function TableFilter({
  name,
  label,
  options,
  placeholder = null,
  defaultValue = "",
  labelOnPhones = true,
  stacked = false,
}: {
  name: string;
  label: string;
  options: Option[];
  placeholder?: string | null;
  /** The choice that applies while the URL has no such parameter. */
  defaultValue?: string;
  /** False if the options are clear without a visible label; on phones, such filters share a row. */
  labelOnPhones?: boolean;
  /** True in a `filter-panel`, where the label is above the select. */
  stacked?: boolean;
}) {
  const query = useTable();
  const key = `filters[${name}]`;
  return (
    <Select
      label={label}
      className={
        stacked
          ? "block [&>label]:mb-1 [&>label]:block [&>label]:font-medium [&>label]:text-ink"
          : `flex items-center gap-2 ${labelOnPhones ? "" : "max-sm:min-w-0 max-sm:flex-1 max-sm:basis-32 max-sm:[&>label]:sr-only max-sm:[&>select]:w-full sm:[&>select]:max-w-48"}`
      }
      options={options}
      placeholder={placeholder}
      value={query.params.get(key) ?? defaultValue}
      onChange={(value) => query.set({ [key]: value === defaultValue ? null : value, page: null })}
    />
  );
}

/** A row of stacked filters in a table's toolbar; two side by side on a phone. */
export const StackedFilters = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-end gap-2 max-sm:grid max-sm:w-full max-sm:grid-cols-2 max-sm:[&_.control]:w-full sm:gap-3">
    {children}
  </div>
);

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
      value={text}
      onChange={(day) => {
        setText(day);
        if (day === "" || (parseDate(day) ?? "") >= EARLIEST_DAY) query.set({ [key]: day, page: null });
      }}
    />
  );
}

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
