"use client";

import { useTable } from "@tanstack/react-table";
import { useSearchParams } from "next/navigation";
import { type ReactNode, useMemo } from "react";
import type { Meta } from "@/lib/core/api/list-query";
import { ErrorAlert } from "./alert";
import { Button, SearchInput } from "./controls";
import { PageProgress } from "./link";
import { Pagination } from "./pagination";
import { type Column, columnDefinitions, features, TableGrid } from "./table-grid";
import { isFilter, requested, TableContext, useTableQuery } from "./table-query";
import { useRowFocus } from "./use-row-focus";

/**
 * A table whose rows the server sorts, searches and pages: it shows one page and asks for another by changing the URL.
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
  empty,
  noMatch = "No results.",
  failed,
}: {
  /** The table's accessible name. */
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  meta: Meta;
  search?: boolean;
  /** Filters. */
  toolbar?: ReactNode;
  /** Buttons for the list as a whole, such as New. */
  actions?: ReactNode;
  /** Controls for the rows that are selected, right above them. */
  selection?: ReactNode;
  /** Rows are one line high where there is room for a table. */
  compact?: boolean;
  rowActions?: (row: Row) => ReactNode;
  /** Shown if there are no records at all. */
  empty?: ReactNode;
  /** Shown if the search and the filters match no records. */
  noMatch?: string;
  /** Why the rows could not be read; shown in their place. */
  failed?: string | string[] | null;
}) {
  const query = useTableQuery();
  const shown = useSearchParams();
  const data = useMemo(() => rows.filter((row) => !row._destroy), [rows]);
  const rowFocus = useRowFocus(data);
  const columnDefs = useMemo(() => columnDefinitions(columns, rowActions), [columns, rowActions]);

  const { page, perPage: size, sort, order } = query.pending ? requested(query.params, meta) : meta;
  const sorting = sort ? [{ id: sort, desc: order === "desc" }] : [];
  const table = useTable({
    features,
    columns: columnDefs,
    data,
    getRowId: (row) => String(row.id),
    state: { sorting, pagination: { pageIndex: page - 1, pageSize: size } },
    manualSorting: true,
    manualPagination: true,
    // Unknown (-1) when counting stopped at its limit, or when more rows may follow than the page's number says.
    pageCount: meta.totalCountIsExact && !shown.has("after") ? meta.totalPages : -1,
    enableSortingRemoval: false,
    sortDescFirst: false,
    onSortingChange: (updater) => {
      const [next] = typeof updater === "function" ? updater(sorting) : updater;
      query.set({ sort: next?.id ?? null, order: next ? (next.desc ? "desc" : "asc") : null, page: null });
    },
    onPaginationChange: (updater) => {
      const before = { pageIndex: page - 1, pageSize: size };
      const next = typeof updater === "function" ? updater(before) : updater;
      const resized = next.pageSize !== before.pageSize;
      // The next page, by its number or by Next, begins after the last row shown, whatever has changed before that.
      const follows = !query.pending && !resized && next.pageIndex === page;
      query.set({
        perPage: resized ? String(next.pageSize) : query.params.get("perPage"),
        page: resized || next.pageIndex === 0 ? null : String(next.pageIndex + 1),
        after: (follows && rows.at(-1)?.id.toString()) || null,
      });
    },
  });

  const filtered = meta.search !== "" || [...query.params.keys()].some(isFilter);
  const isEmpty = meta.totalCount === 0 && !filtered;
  const body = () => {
    if (failed) {
      return (
        <div className="stack items-start p-4">
          <ErrorAlert messages={failed} />
          <Button onClick={query.refresh}>Try again</Button>
        </div>
      );
    }
    if (data.length === 0 && meta.totalCount > 0) {
      return (
        <div className="stack items-center px-4 py-12 text-muted">
          <p>{`Page ${meta.page} no longer exists.`}</p>
          <Button onClick={() => table.setPageIndex(meta.totalPages - 1)}>Go to the last page</Button>
        </div>
      );
    }
    if (data.length === 0) {
      return (
        <div className="px-4 py-12 text-center text-muted">
          {filtered || !empty ? <p>{filtered ? noMatch : "Nothing here yet."}</p> : empty}
        </div>
      );
    }
    return <TableGrid table={table} columns={columns} label={label} />;
  };

  return (
    <TableContext value={query}>
      <div className="stack">
        {(search || toolbar || actions) && (
          <div data-toolbar="" className="print-hidden flex flex-wrap items-center gap-2 sm:gap-3">
            {search && (
              <SearchInput
                label={`Search ${label}`}
                value={meta.search}
                onSearch={(text) => query.set({ search: text, page: null }, "replace")}
              />
            )}
            {toolbar}
            {actions && <div className="ml-auto flex flex-wrap gap-2 sm:gap-3">{actions}</div>}
          </div>
        )}
        <div
          {...rowFocus}
          data-compact={compact || undefined}
          className="card @container relative overflow-clip"
          aria-busy={query.pending}
        >
          {selection && <div className="selection-bar print-hidden">{selection}</div>}
          <div className={query.pending ? "opacity-60 transition-opacity delay-150" : undefined}>
            {body()}
          </div>
        </div>
        {query.pending && <PageProgress />}
        {!failed && !isEmpty && (
          <Pagination
            meta={meta}
            following={shown.has("after") ? rows.length : undefined}
            size={size}
            onPage={(page) => table.setPageIndex(page - 1)}
            onSize={table.setPageSize}
          />
        )}
      </div>
    </TableContext>
  );
}
