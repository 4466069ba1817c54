"use client";

import {
  type ColumnDef,
  rowPaginationFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import {
  createContext,
  type FocusEvent,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useOptimistic,
  useRef,
  useTransition,
} from "react";
import { type Meta, PAGE_SIZES } from "@/lib/api/list-query";
import { ErrorAlert } from "./alert";
import { Button, type Option, SearchInput, Select } from "./controls";
import { ChevronIcon, SortIcon } from "./icons";
import { PageProgress } from "./link";

export type { Meta };

type TableRow = { id: number; _destroy?: boolean };

export type Column<Row> = {
  key: string;
  header: string;
  /** Defaults to the row's value under `key`. */
  cell?: (row: Row) => ReactNode;
  sortable?: boolean;
};

type TableQuery = {
  params: URLSearchParams;
  /** Changes parameters of the address bar (null removes one) and goes there in a transition. */
  set: (patch: Record<string, string | null>, how?: "push" | "replace") => void;
  refresh: () => void;
  /** Whether the rows on the screen are older than the address bar. */
  pending: boolean;
};

/** A table's state lives in the address bar, so that Back, reload and a shared link show the same rows. */
export function useTableQuery(): TableQuery {
  const router = useRouter();
  const pathname = usePathname();
  const [pending, startTransition] = useTransition();
  // Where the table is going, before its page has come: the next change starts there, and controls show it.
  const [text, setText] = useOptimistic(useSearchParams().toString());
  const latest = useRef(text);
  latest.current = text;
  /** Whether an entry of the history is on its way: what replaces it must still be a new one. */
  const pushing = useRef(false);
  useEffect(() => {
    if (!pending) pushing.current = false;
  }, [pending]);

  return {
    params: new URLSearchParams(text),
    pending,
    set(patch, how = "push") {
      const params = new URLSearchParams(latest.current);
      for (const [key, value] of Object.entries(patch)) {
        if (value === null || value === "") params.delete(key);
        else params.set(key, value);
      }
      latest.current = params.toString();
      // Brackets stay readable: filters[userId], not filters%5BuserId%5D.
      const query = latest.current.replaceAll("%5B", "[").replaceAll("%5D", "]");
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
 * What the links from a list to its forms end with, `?from=…` or nothing, so that they lead back to the list as it was
 * left (`backTo` in lib/api/page.ts).
 */
export function useListState(): string {
  const state = useSearchParams().toString();
  return state && `?${new URLSearchParams({ from: state })}`;
}

const TableContext = createContext<TableQuery | null>(null);

/** A select in a table's toolbar that writes `filters[name]`; its empty choice is `defaultValue`. */
export function TableFilter({
  name,
  label,
  options,
  placeholder = null,
  defaultValue = "",
}: {
  name: string;
  label: string;
  options: Option[];
  placeholder?: string | null;
  /** What the page shows without the parameter. */
  defaultValue?: string;
}) {
  const query = useContext(TableContext);
  if (!query) throw new Error("TableFilter stands in the toolbar of a DataTable");
  const key = `filters[${name}]`;
  return (
    <Select
      label={label}
      options={options}
      placeholder={placeholder}
      value={query.params.get(key) ?? defaultValue}
      onChange={(value) => query.set({ [key]: value === defaultValue ? null : value, page: null })}
    />
  );
}

/** What the address bar asks for while the page is on its way: the next click starts there. */
const heading = (params: URLSearchParams, meta: Meta): Pick<Meta, "page" | "perPage" | "sort" | "order"> => ({
  page: Number(params.get("page")) || 1,
  perPage: Number(params.get("perPage")) || meta.perPage,
  // Without a sort of its own, it is the list's, whose order the address bar does not say.
  ...(params.has("sort")
    ? { sort: params.get("sort") ?? "", order: params.get("order") === "desc" ? "desc" : "asc" }
    : { sort: meta.sort, order: meta.order }),
});

const features = tableFeatures({ rowSortingFeature, rowPaginationFeature });
const ACTIONS = "actions";

/**
 * A table whose rows the server sorts, searches and pages; it shows one page and moves the address bar.
 * While the next page is on its way the rows stay, dimmed. A row marked `_destroy` is hidden (spec §4).
 */
export function DataTable<Row extends TableRow>({
  label,
  columns,
  rows,
  meta,
  search = false,
  toolbar,
  actions,
  rowActions,
  empty,
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
  /** Buttons that concern the whole list. */
  actions?: ReactNode;
  rowActions?: (row: Row) => ReactNode;
  /** What to do when the list is empty. */
  empty?: ReactNode;
  /** Why the rows could not be had; shown instead of them. */
  failed?: string | string[] | null;
}) {
  const query = useTableQuery();
  const data = useMemo(() => rows.filter((row) => !row._destroy), [rows]);
  const rowFocus = useRowFocus(data);
  const columnDefs = useMemo(() => {
    const defs = columns.map(
      ({ key, header, cell, sortable = false }): ColumnDef<typeof features, Row> => ({
        id: key,
        header,
        accessorFn: (row) => row[key as keyof Row],
        enableSorting: sortable,
        cell: ({ row, getValue }) => (cell ? cell(row.original) : (getValue() as ReactNode)),
      }),
    );
    if (rowActions) {
      defs.push({
        id: ACTIONS,
        header: () => <span className="sr-only">Actions</span>,
        enableSorting: false,
        cell: ({ row }) => <div className="row-actions print-hidden">{rowActions(row.original)}</div>,
      });
    }
    return defs;
  }, [columns, rowActions]);

  const { page, perPage: size, sort, order } = query.pending ? heading(query.params, meta) : meta;
  const sorting = sort ? [{ id: sort, desc: order === "desc" }] : [];
  const table = useTable({
    features,
    columns: columnDefs,
    data,
    getRowId: (row) => String(row.id),
    state: { sorting, pagination: { pageIndex: page - 1, pageSize: size } },
    manualSorting: true,
    manualPagination: true,
    // Where not all rows were counted, any page may follow.
    pageCount: meta.totalCountIsExact ? meta.totalPages : -1,
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
      query.set({
        perPage: resized ? String(next.pageSize) : query.params.get("perPage"),
        page: resized || next.pageIndex === 0 ? null : String(next.pageIndex + 1),
      });
    },
  });

  const filtered = meta.search !== "" || [...query.params.keys()].some((key) => key.startsWith("filters["));
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
          <p>{`There is no page ${meta.page} any more.`}</p>
          <Button onClick={() => table.setPageIndex(meta.totalPages - 1)}>Go to the last page</Button>
        </div>
      );
    }
    if (data.length === 0) {
      return (
        <div className="px-4 py-12 text-center text-muted">
          {filtered || !empty ? <p>{filtered ? "Nothing matches." : "Nothing here yet."}</p> : empty}
        </div>
      );
    }
    return (
      // The roles are the elements' own, said again because display: block takes them away on narrow screens.
      // biome-ignore-start lint/a11y/noRedundantRoles: see above
      // biome-ignore-start lint/a11y/useSemanticElements: see above
      <table className="data-table" aria-label={label} role="table">
        <thead role="rowgroup">
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} role="row">
              {group.headers.map((header) => {
                const sorted = header.column.getIsSorted();
                const sortable = header.column.getCanSort();
                return (
                  <th
                    key={header.id}
                    role="columnheader"
                    scope="col"
                    aria-sort={
                      sortable
                        ? sorted
                          ? sorted === "asc"
                            ? "ascending"
                            : "descending"
                          : "none"
                        : undefined
                    }
                  >
                    {sortable ? (
                      <button
                        type="button"
                        className="sort-button"
                        onClick={header.column.getToggleSortingHandler()}
                      >
                        <table.FlexRender header={header} />
                        <SortIcon order={sorted || null} />
                      </button>
                    ) : (
                      <table.FlexRender header={header} />
                    )}
                  </th>
                );
              })}
            </tr>
          ))}
        </thead>
        <tbody role="rowgroup">
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id} role="row">
              {row.getAllCells().map((cell) => {
                const isActions = cell.column.id === ACTIONS;
                return (
                  <td
                    key={cell.id}
                    role="cell"
                    data-actions={isActions || undefined}
                    data-label={isActions ? undefined : (cell.column.columnDef.header as string)}
                  >
                    <table.FlexRender cell={cell} />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      // biome-ignore-end lint/a11y/useSemanticElements: see above
      // biome-ignore-end lint/a11y/noRedundantRoles: see above
    );
  };

  return (
    <TableContext value={query}>
      <div className="stack">
        {(search || toolbar || actions) && (
          <div className="print-hidden flex flex-wrap items-center gap-3">
            {search && (
              <SearchInput
                label={`Search ${label}`}
                value={meta.search}
                onSearch={(text) => query.set({ search: text, page: null }, "replace")}
              />
            )}
            {toolbar}
            {actions && <div className="ml-auto flex flex-wrap gap-3">{actions}</div>}
          </div>
        )}
        <div {...rowFocus} className="card @container relative overflow-hidden" aria-busy={query.pending}>
          <div className={query.pending ? "opacity-60 transition-opacity delay-150" : undefined}>
            {body()}
          </div>
        </div>
        {query.pending && <PageProgress />}
        {!failed && (
          <Pagination
            meta={meta}
            size={size}
            onPage={(page) => table.setPageIndex(page - 1)}
            onSize={table.setPageSize}
          />
        )}
      </div>
    </TableContext>
  );
}

/** When the row that had the focus is gone, the row in its place gets it, at the same control. */
function useRowFocus(data: unknown) {
  const ref = useRef<HTMLDivElement>(null);
  const last = useRef<{ control: Element; row: number; place: number } | null>(null);
  const controls = (row: Element | undefined) => [...(row?.querySelectorAll<HTMLElement>("a, button") ?? [])];

  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows are what may have taken the focus away
  useEffect(() => {
    const lost = last.current;
    if (!lost || lost.control.isConnected || document.activeElement !== document.body) return;
    last.current = null;
    const rows = ref.current?.querySelectorAll("tbody tr") ?? [];
    const target = controls(rows[Math.min(lost.row, rows.length - 1)])[lost.place] ?? ref.current;
    target?.focus();
  }, [data]);

  return {
    ref,
    tabIndex: -1,
    onFocus({ target }: FocusEvent) {
      const row = target.closest("tbody tr");
      const index = [...(row?.parentElement?.children ?? [])].indexOf(row as Element);
      last.current = row && {
        control: target,
        row: index,
        place: controls(row).indexOf(target as HTMLElement),
      };
    },
  };
}

function Pagination({
  meta,
  size,
  onPage,
  onSize,
}: {
  meta: Meta;
  /** Rows a page, as chosen last. */
  size: number;
  onPage: (page: number) => void;
  onSize: (size: number) => void;
}) {
  const { page, perPage, totalCount, totalPages, totalCountIsExact, pageNumbers } = meta;
  const count = totalCountIsExact ? `${totalCount}` : `more than ${totalCount.toLocaleString("en-US")}`;
  const first = (page - 1) * perPage + 1;
  const last = Math.min(page * perPage, totalCount);
  const sizes = [...new Set<number>([...PAGE_SIZES, size])].sort((a, b) => a - b);

  return (
    <div className="print-hidden flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <p role="status" className="text-muted text-sm">
        {`${first <= last ? `${first}–${last}` : "0"} of ${count}`}
      </p>
      <nav aria-label="Pages" className="flex flex-wrap items-center gap-1">
        <PageButton label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)}>
          <ChevronIcon direction="left" />
        </PageButton>
        {pageNumbers.map((number) => (
          <PageButton
            key={number}
            label={`Page ${number}`}
            current={number === page}
            onClick={() => onPage(number)}
          >
            {number}
          </PageButton>
        ))}
        <PageButton
          label="Next page"
          disabled={totalCountIsExact && page >= totalPages}
          onClick={() => onPage(page + 1)}
        >
          <ChevronIcon direction="right" />
        </PageButton>
      </nav>
      <Select
        label="Rows per page"
        options={sizes.map((value) => ({ value, label: String(value) }))}
        value={size}
        onChange={(chosen) => onSize(Number(chosen))}
      />
    </div>
  );
}

function PageButton({
  label,
  current = false,
  disabled = false,
  onClick,
  children,
}: {
  label: string;
  current?: boolean;
  disabled?: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <Button
      variant={current ? "primary" : "ghost"}
      className="min-w-control px-1.5!"
      aria-label={label}
      aria-current={current ? "page" : undefined}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}
