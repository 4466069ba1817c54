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
import { memo, type ReactNode, useMemo } from "react";
import { Select } from "./controls";
import { SortIcon } from "./icons";

export type Column<Row> = {
  key: string;
  header: string;
  /** Defaults to the row's value under `key`. */
  cell?: (row: Row) => ReactNode;
  sortable?: boolean;
  /** What its values are, for the words of their order; text if left out. */
  holds?: keyof typeof ORDERS | undefined;
  /**
   * In a compact table: `rest` takes the room that the other columns leave, in place of the first column; `wide` may be
   * wider than others where rows have badges, and takes twice their share on a narrow screen.
   */
  width?: "wide" | "rest" | undefined;
};

/** How an ascending and a descending order are called. */
const ORDERS = {
  text: ["A to Z", "Z to A"],
  moments: ["oldest first", "newest first"],
  numbers: ["lowest first", "highest first"],
} as const;

export const features = tableFeatures({ rowSortingFeature, rowPaginationFeature });
type Features = typeof features;
const ACTIONS = "actions";

/** The columns in the table library's terms, plus a last one for the actions of each row. */
export function columnDefinitions<Row extends object>(
  columns: Column<Row>[],
  rowActions?: (row: Row) => ReactNode,
): ColumnDef<Features, Row>[] {
  const definitions = columns.map(
    ({ key, header, cell, sortable = false }): ColumnDef<Features, Row> => ({
      id: key,
      header,
      accessorFn: (row): unknown => Reflect.get(row, key),
      enableSorting: sortable,
      cell: ({ row, getValue }) => {
        const content = cell ? cell(row.original) : String(getValue() ?? "");
        return typeof content === "string" ? <span title={content}>{content}</span> : content;
      },
    }),
  );
  if (rowActions) {
    definitions.push({
      id: ACTIONS,
      header: () => <span className="sr-only">Actions</span>,
      enableSorting: false,
      cell: ({ row }) => <div className="row-actions print-hidden">{rowActions(row.original)}</div>,
    });
  }
  return definitions;
}

/** On a narrow screen, where there is no header, the order is chosen here. */
function SortSelect<Row extends object>({
  table,
  columns,
}: {
  table: ReactTable<Features, Row>;
  columns: Column<Row>[];
}) {
  const sorted = table.getAllColumns().find((column) => column.getIsSorted());
  const options = columns
    .filter(({ sortable }) => sortable)
    .flatMap(({ key, header, holds = "text" }) => [
      { value: `${key} asc`, label: `${header}, ${ORDERS[holds][0]}` },
      { value: `${key} desc`, label: `${header}, ${ORDERS[holds][1]}` },
    ]);
  if (options.length === 0) return null;
  return (
    <Select
      label="Sort by"
      className="sort-select items-center gap-2"
      options={options}
      placeholder={sorted ? null : "List order"}
      value={sorted ? `${sorted.id} ${sorted.getIsSorted()}` : ""}
      onChange={(value) => {
        const [id = "", order] = value.split(" ");
        if (id) table.setSorting([{ id, desc: order === "desc" }]);
      }}
    />
  );
}

/** The cells of a row. While only the order or the page changes, they stay as they are, so that a click shows at once. */
const Cells = memo(function Cells({
  cells,
  columns,
}: {
  // biome-ignore lint/suspicious/noExplicitAny: memo cannot keep the type of the row, which nothing here looks at
  cells: Cell<Features, any>[];
  columns: ReadonlyMap<string, Pick<Column<never>, "holds" | "width">>;
}) {
  return cells.map((cell) => {
    const { header } = cell.column.columnDef;
    const { holds, width } = columns.get(cell.column.id) ?? {};
    return (
      <td
        key={cell.id}
        role="cell"
        data-actions={cell.column.id === ACTIONS || undefined}
        data-label={typeof header === "string" ? header : undefined}
        data-holds={holds}
        data-width={width}
      >
        <FlexRender cell={cell} />
      </td>
    );
  });
});

const ARIA_SORT = { asc: "ascending", desc: "descending" } as const;

/** The table element: headers that sort, one row per record, and each cell labelled for the narrow layout. */
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
        <th key={header.id} role="columnheader" scope="col">
          <table.FlexRender header={header} />
        </th>
      );
    }
    const sorted = header.column.getIsSorted();
    return (
      <th key={header.id} role="columnheader" scope="col" aria-sort={sorted ? ARIA_SORT[sorted] : "none"}>
        <button type="button" className="sort-button" onClick={header.column.getToggleSortingHandler()}>
          <table.FlexRender header={header} />
          <SortIcon order={sorted || null} />
        </button>
      </th>
    );
  };

  return (
    <>
      <SortSelect table={table} columns={columns} />
      <table className="data-table" aria-label={label} role="table">
        <thead role="rowgroup">
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} role="row">
              {group.headers.map(headerCell)}
            </tr>
          ))}
        </thead>
        <tbody role="rowgroup">
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
