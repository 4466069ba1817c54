import type { ReactNode } from "react";
import type { Meta } from "@/lib/core/api/list-query";
import { whole } from "@/lib/core/text/format";
import { Button, Select } from "./controls";
import { ChevronIcon } from "./icons";

const PAGE_SIZES = [5, 10, 25, 50];

export function Pagination({
  meta,
  following,
  size,
  onPage,
  onSize,
}: {
  meta: Meta;
  /** The number of rows shown, if they follow the previous page. That page number may have other rows. */
  following?: number | undefined;
  /** The chosen number of rows per page; the rows may still be loading. */
  size: number;
  onPage: (page: number) => void;
  onSize: (size: number) => void;
}) {
  const { page, perPage, totalCount, totalPages, totalCountIsExact, pageNumbers } = meta;
  const count = totalCountIsExact ? `${totalCount}` : `more than ${whole(totalCount)}`;
  const first = (page - 1) * perPage + 1;
  const last = Math.min(page * perPage, totalCount);
  const range = first <= last ? `${first}–${last}` : "0";
  const moved = following !== undefined && following !== Math.max(0, last - first + 1);
  const ends = totalCountIsExact && page >= totalPages && !(moved && following === perPage);
  const sizes = [...new Set<number>([...PAGE_SIZES, size])].sort((a, b) => a - b);

  return (
    <div className="print-hidden flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <p role="status" className="text-muted text-sm">
        {`${moved ? following : range} of ${count}`}
      </p>
      {totalCount > 0 && (
        <>
          <nav aria-label="Pages" className="flex flex-wrap items-center gap-1">
            <PageButton label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)}>
              <ChevronIcon direction="left" />
            </PageButton>
            {pageNumbers.map((number) => (
              <PageButton
                key={number}
                label={`Page ${number}`}
                current={number === page}
                // A phone has no space for all of them.
                className={number === page ? "" : "max-sm:hidden"}
                onClick={() => onPage(number)}
              >
                {number}
              </PageButton>
            ))}
            <PageButton label="Next page" disabled={ends} onClick={() => onPage(page + 1)}>
              <ChevronIcon direction="right" />
            </PageButton>
          </nav>
          <Select
            label="Rows per page"
            options={sizes.map((value) => ({ value, label: String(value) }))}
            value={size}
            onChange={(chosen) => onSize(Number(chosen))}
          />
        </>
      )}
    </div>
  );
}

function PageButton({
  label,
  current = false,
  disabled = false,
  className = "",
  onClick,
  children,
}: {
  label: string;
  current?: boolean;
  disabled?: boolean;
  className?: string;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <Button
      variant={current ? "secondary" : "ghost"}
      className={`min-w-control px-1.5! ${className}`}
      aria-label={label}
      aria-current={current ? "page" : undefined}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}
