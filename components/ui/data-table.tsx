"use client";

import {
  functionalUpdate,
  type PaginationState,
  type SortingState,
  type Updater,
  useTable,
} from "@tanstack/react-table";
import { useSearchParams } from "next/navigation";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import type { Meta } from "@/lib/core/api/list-query";
import { ErrorAlert } from "./alert";
import { Button, SearchInput } from "./controls";
import { EmptyState } from "./empty-state";
import { SearchIcon } from "./icons";
import { PageProgress } from "./link";
import { Pagination } from "./pagination";
import { type Column, columnDefinitions, features, TableGrid } from "./table-grid";
import { isFilter, requested, TableContext, type TableQuery, useTableQuery } from "./table-query";
import { useRowFocus } from "./use-row-focus";

const DIMMED_AFTER_MS = 150;

type DataTableProps<Row> = {
  /** The table's accessible name. */
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  meta: Meta;
  search?: boolean;
  /** Filters. */
  toolbar?: ReactNode;
  /** Buttons for the whole list, such as New. */
  actions?: ReactNode;
  /** Controls for the rows that are selected. They take the place of the filters, so that no row moves. */
  selection?: ReactNode;
  /** Rows are one line high in the wide layout. */
  compact?: boolean;
  /** Returns null for a row without actions. */
  rowActions?: (row: Row) => ReactNode;
  /** Names the record of a row for assistive technology, because the actions of all rows have the same names. */
  rowName?: (row: Row) => string;
  /** Shown if there are no records at all: an `EmptyState`, whose button takes the place of `actions`. */
  empty: ReactNode;
  /** Shown if the search and the filters match no records. */
  noMatch?: string;
  /** The reason why the rows could not be read, shown in their place. */
  failed?: string | string[] | null;
};

/**
 * A table whose rows the server sorts, searches and pages. It shows one page and requests another by changing the URL.
 * While the next page loads, the present rows stay visible but dimmed. A row marked `_destroy` is hidden.
 */
export function DataTable<Row extends { id: number; _destroy?: boolean }>({
  label,
  columns,
  rows,
  meta,
  search = false,
  toolbar,
  actions,
  selection,
  compact = false,
  rowActions,
  rowName,
  empty,
  noMatch = "No results.",
  failed,
}: DataTableProps<Row>) {
  const query = useTableQuery();
  const isContinued = useSearchParams().has("after");
  const data = useMemo(() => rows.filter((row) => !row._destroy), [rows]);
  const rowFocus = useRowFocus(data, undefined, Boolean(selection));
  const columnDefs = useMemo(
    () => columnDefinitions(columns, rowActions, rowName),
    [columns, rowActions, rowName],
  );
  const urlOptions = tableInUrl({ query, meta, isContinued, lastId: rows.at(-1)?.id });
  const table = useTable({
    features,
    columns: columnDefs,
    data,
    getRowId: (row) => String(row.id),
    ...urlOptions,
  });

  const isFiltered = meta.search !== "" || [...query.params.keys()].some(isFilter);
  const isEmpty = meta.totalCount === 0 && !isFiltered;
  const shownActions = isEmpty && !failed ? null : actions;
  const body = () => {
    if (failed) return <FailedRows messages={failed} onRetry={query.refresh} />;
    if (data.length > 0) return <TableGrid table={table} columns={columns} label={label} />;
    if (meta.totalCount > 0)
      return <MissingPage page={meta.page} onLastPage={() => table.setPageIndex(meta.totalPages - 1)} />;
    return isFiltered ? <EmptyState icon={<SearchIcon />}>{noMatch}</EmptyState> : empty;
  };

  return (
    <TableContext value={query}>
      <div className="stack">
        {selection && (
          <div className="selection-bar print-hidden" {...{ onFocus: rowFocus.onFocus }}>
            {selection}
          </div>
        )}
        {(search || toolbar || shownActions) && (
          <div data-toolbar="" className="print-hidden flex flex-wrap items-end gap-2 sm:gap-3">
            {search && (
              <SearchInput
                label={`Search ${label}`}
                value={meta.search}
                onSearch={(text) => query.set({ search: text, page: null }, "replace")}
              />
            )}
            {toolbar}
            {shownActions && <div className="ml-auto flex flex-wrap gap-2 sm:gap-3">{shownActions}</div>}
          </div>
        )}
        <div
          {...rowFocus}
          data-compact={compact || undefined}
          className="card @container relative overflow-clip"
          aria-busy={query.pending}
        >
          <Dimmed pending={query.pending}>{body()}</Dimmed>
        </div>
        {query.pending && <PageProgress />}
        {!failed && !isEmpty && (
          <Pagination
            meta={meta}
            following={isContinued ? rows.length : undefined}
            size={urlOptions.state.pagination.pageSize}
            onPage={(page) => table.setPageIndex(page - 1)}
            onSize={table.setPageSize}
          />
        )}
      </div>
    </TableContext>
  );
}

/**
 * Dims the rows once the next ones take a noticeable time. A delayed transition would paint all rows again in their own
 * layer at once, before the click shows.
 */
function Dimmed({ pending, children }: { pending: boolean; children: ReactNode }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!pending) return;
    const timer = setTimeout(() => setLate(true), DIMMED_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [pending]);
  return <div className={pending && isLate ? "opacity-60 transition-opacity" : undefined}>{children}</div>;
}

/** Returns the table library's options for a table whose order and page are in the URL. */
function tableInUrl({
  query,
  meta,
  isContinued,
  lastId,
}: {
  query: TableQuery;
  meta: Meta;
  /** True if the shown page begins after a row (`after`), whatever its number. */
  isContinued: boolean;
  /** The id of the last row on the page. */
  lastId: number | undefined;
}) {
  const { page, perPage, sort, order } = query.pending ? requested(query.params, meta) : meta;
  const sorting = sort ? [{ id: sort, desc: order === "desc" }] : [];
  const pagination = { pageIndex: page - 1, pageSize: perPage };
  return {
    state: { sorting, pagination },
    manualSorting: true,
    manualPagination: true,
    // Unknown (-1) if counting stopped at its limit, or if more rows may follow than the page's number suggests.
    pageCount: meta.totalCountIsExact && !isContinued ? meta.totalPages : -1,
    enableSortingRemoval: false,
    sortDescFirst: false,
    onSortingChange(updater: Updater<SortingState>) {
      const [next] = functionalUpdate(updater, sorting);
      query.set({ sort: next?.id ?? null, order: next ? (next.desc ? "desc" : "asc") : null, page: null });
    },
    onPaginationChange(updater: Updater<PaginationState>) {
      const next = functionalUpdate(updater, pagination);
      const isResized = next.pageSize !== perPage;
      // The next page, by its number or by Next, begins after the last row shown. Changes in earlier rows do not
      // matter.
      const follows = !query.pending && !isResized && next.pageIndex === page;
      query.set({
        perPage: isResized ? String(next.pageSize) : query.params.get("perPage"),
        page: isResized || next.pageIndex === 0 ? null : String(next.pageIndex + 1),
        after: (follows && lastId?.toString()) || null,
      });
    },
  };
}

function FailedRows({ messages, onRetry }: { messages: string | string[]; onRetry: () => void }) {
  return (
    <div className="stack items-start p-4">
      <ErrorAlert messages={messages} />
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}

/** Replaces a page beyond the last one, for example after its rows were removed. */
function MissingPage({ page, onLastPage }: { page: number; onLastPage: () => void }) {
  return (
    <div className="stack items-center px-4 py-12 text-muted">
      <p>{`Page ${page} no longer exists.`}</p>
      <Button onClick={onLastPage}>Go to the last page</Button>
    </div>
  );
}
