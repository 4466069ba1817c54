// biome-ignore-all lint/a11y/noRedundantRoles: `display: block` removes the elements' own roles on narrow screens
// biome-ignore-all lint/a11y/useSemanticElements: as above
import {
  type Cell,
  type ColumnDef,
  FlexRender,
  type Header,
  type ReactTable,
  rowPaginationFeature,
  rowSortingFeature,
  tableFeatures,
} from "@tanstack/react-table";
import { type MouseEvent, memo, type ReactNode, useMemo } from "react";
import { CellText } from "./cell-text";
import { Select } from "./controls";
import { hideCutText, showCutText } from "./cut-text";
import { MoreIcon, SortIcon } from "./icons";
import { Menu } from "./menu";
import { SelectAllBox } from "./table-selection";
import { useToolbar } from "./use-toolbar";

export type Column<Row> = {
  key: string;
  header: string;
  /** Its cells begin with a SelectBox, and its header with the box that selects all rows. */
  isSelectable?: boolean;
  /** True: hidden in the narrow layout, because the reader knows its values. */
  isWideOnly?: boolean;
  /** True: in the narrow layout, the cell of another column shows its value. */
  isInOther?: boolean;
  /** Defaults to the row's value under `key`. */
  cell?: (row: Row) => ReactNode;
  sortable?: boolean;
  /** The kind of its values, which determines the words for their order; text if missing. */
  holds?: keyof typeof ORDERS | undefined;
  /**
   * In a compact table: `rest` takes the remaining width in place of the first column; `wide` and `narrow` begin a second
   * line later or earlier.
   */
  width?: "wide" | "rest" | "narrow" | undefined;
};

/** The words for an ascending and a descending order. */
const ORDERS = {
  text: ["A to Z", "Z to A"],
  moments: ["oldest first", "newest first"],
  numbers: ["lowest first", "highest first"],
  booleans: ["No first", "Yes first"],
} as const;

export const features = tableFeatures({ rowSortingFeature, rowPaginationFeature });
type Features = typeof features;
const ACTIONS = "actions";

/** Returns the columns in the table library's terms, and a last one for the actions of each row. */
export function columnDefinitions<Row extends object>(
  columns: Column<Row>[],
  rowActions?: (row: Row) => ReactNode,
  rowName?: (row: Row) => string,
): ColumnDef<Features, Row>[] {
  const definitions = columns.map(
    ({ key, header, cell, sortable = false }): ColumnDef<Features, Row> => ({
      id: key,
      header,
      accessorFn: (row): unknown => Reflect.get(row, key),
      enableSorting: sortable,
      cell: ({ row, getValue }) => {
        const content = cell ? cell(row.original) : String(getValue() ?? "");
        if (typeof content !== "string") return content;
        return content && <CellText text={content} />;
      },
    }),
  );
  if (rowActions) {
    definitions.push({
      id: ACTIONS,
      header: () => <span className="sr-only">Actions</span>,
      enableSorting: false,
      cell: ({ row }) => {
        const content = rowActions(row.original);
        if (content === null) return null;
        const label = rowName ? `Actions for ${rowName(row.original)}` : "Actions";
        return <RowActions label={label}>{content}</RowActions>;
      },
    });
  }
  return definitions;
}

/** The actions of a row: on a wide screen a toolbar in the row, on a narrow one its menu. */
function RowActions({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Menu
      label={label}
      aria-label={label}
      title="Actions"
      icon={<MoreIcon />}
      data-icon-only=""
      data-menu=""
      className="row-actions"
      bar={useToolbar()}
      content={children}
    />
  );
}

/**
 * Follows the link of a row that opens its record (`data-main`) after a click elsewhere in the row, but not on another
 * control, and not after text was selected.
 */
function openRow(event: MouseEvent<HTMLElement>) {
  const { target, ctrlKey, metaKey, shiftKey } = event;
  if (!(target instanceof Element) || target.closest("a, button, input, label, select, [popover]")) return;
  if (window.getSelection()?.toString()) return;
  target
    .closest("tr")
    ?.querySelector("[data-main]")
    ?.dispatchEvent(
      new window.MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }),
    );
}

/** Replaces the header on a narrow screen: selects all rows and sets the order. */
function ListBar<Row extends object>({
  table,
  columns,
}: {
  table: ReactTable<Features, Row>;
  columns: Column<Row>[];
}) {
  const sorted = table.getAllColumns().find((column) => column.getIsSorted());
  const order = sorted ? `${sorted.id} ${sorted.getIsSorted()}` : "";
  const options = columns
    .filter(({ sortable, isWideOnly }) => sortable && !isWideOnly)
    .flatMap(({ key, header, holds = "text" }) => [
      { value: `${key} asc`, label: `${header}, ${ORDERS[holds][0]}` },
      { value: `${key} desc`, label: `${header}, ${ORDERS[holds][1]}` },
    ]);
  const isSelectable = columns.some((column) => column.isSelectable);
  return (
    <div className="list-bar print-hidden">
      {isSelectable && <SelectAllBox />}
      {options.length > 0 && (
        <Select
          label="Sort by"
          // Next to Select all there is only space for the order itself.
          hideLabel={isSelectable}
          className={`ml-auto flex min-w-0 items-center gap-2 ${isSelectable ? "[&>select]:pl-2 [&>select]:text-[0.8125rem]" : ""}`}
          options={options}
          placeholder={options.some(({ value }) => value === order) ? null : "Default order"}
          value={order}
          onChange={(value) => {
            const [id = "", order] = value.split(" ");
            if (id) table.setSorting([{ id, desc: order === "desc" }]);
          }}
        />
      )}
    </div>
  );
}

/**
 * The cells of a row. They are not rendered again while only the order or the page changes, so that a click shows at
 * once.
 */
const Cells = memo(function Cells({
  cells,
  columns,
}: {
  // biome-ignore lint/suspicious/noExplicitAny: memo cannot keep the type of the row, which nothing here looks at
  cells: Cell<Features, any>[];
  columns: ReadonlyMap<string, Pick<Column<never>, "holds" | "width" | "isWideOnly" | "isInOther">>;
}) {
  return cells.map((cell) => {
    const { header } = cell.column.columnDef;
    const { holds, width, isWideOnly, isInOther } = columns.get(cell.column.id) ?? {};
    return (
      <td
        key={cell.id}
        role="cell"
        data-actions={cell.column.id === ACTIONS || undefined}
        data-label={typeof header === "string" ? header : undefined}
        data-holds={holds}
        data-width={width}
        data-wide-only={isWideOnly || isInOther || undefined}
      >
        <FlexRender cell={cell} />
      </td>
    );
  });
});

const ARIA_SORT = { asc: "ascending", desc: "descending" } as const;

/** The table element: sortable headers, one row per record, and a label on each cell for the narrow layout. */
export function TableGrid<Row extends object>({
  table,
  columns,
  label,
}: {
  table: ReactTable<Features, Row>;
  columns: Column<Row>[];
  /** The table's accessible name. */
  label: string;
}) {
  const byKey = useMemo(() => new Map(columns.map((column) => [column.key, column])), [columns]);

  const headerCell = (header: Header<Features, Row>) => {
    if (!header.column.getCanSort()) {
      return (
        <th key={header.id} role="columnheader" scope="col" data-holds={byKey.get(header.column.id)?.holds}>
          <table.FlexRender header={header} />
        </th>
      );
    }
    const sorted = header.column.getIsSorted();
    const { holds, isSelectable } = byKey.get(header.column.id) ?? {};
    return (
      <th
        key={header.id}
        role="columnheader"
        scope="col"
        aria-sort={sorted ? ARIA_SORT[sorted] : "none"}
        data-holds={holds}
      >
        <span className="flex items-center gap-1.5">
          {isSelectable && <SelectAllBox hideLabel />}
          <button type="button" className="sort-button" onClick={header.column.getToggleSortingHandler()}>
            <table.FlexRender header={header} />
            <SortIcon order={sorted || null} />
          </button>
        </span>
      </th>
    );
  };

  return (
    <>
      <ListBar table={table} columns={columns} />
      <table
        className="data-table"
        aria-label={label}
        role="table"
        data-has-rest={columns.some(({ width }) => width === "rest") || undefined}
      >
        <thead role="rowgroup">
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} role="row">
              {group.headers.map(headerCell)}
            </tr>
          ))}
        </thead>
        <tbody role="rowgroup" onClick={openRow} onFocus={showCutText} onKeyDown={hideCutText}>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id} role="row">
              <Cells cells={row.getAllCells()} columns={byKey} />
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
