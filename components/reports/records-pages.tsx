"use client";

import { PageProgress } from "@/components/ui/link";
import { Pagination } from "@/components/ui/pagination";
import { useTableQuery } from "@/components/ui/table-query";
import type { Meta } from "@/lib/core/api/list-query";

/** Pagination for the records behind a number. The URL holds the page, as in other lists. */
export function RecordsPages({ meta }: { meta: Meta }) {
  const query = useTableQuery();
  return (
    <>
      {query.pending && <PageProgress />}
      <Pagination
        meta={meta}
        size={meta.perPage}
        onPage={(page) => query.set({ page: page === 1 ? null : String(page) })}
        onSize={(size) => query.set({ perPage: String(size), page: null })}
      />
    </>
  );
}
