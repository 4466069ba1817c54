import type { ReactNode } from "react";
import { PRODUCT_NAME } from "@/lib/core/product";

/**
 * The title bar: the route's display name, the id parameter when present, and the record's name: `Edit Referral Source 5 ·
 * VALLEY-HOSP`. It also sets the document's title, which browsers keep in their history: no name may be in it.
 */
export function PageTitle({
  title,
  id,
  recordName,
  name,
  tab = [],
  actions,
}: {
  title: string;
  id?: string | number;
  /** The name of a record that is no secret. */
  recordName?: string;
  /** The client that the page is about. */
  name?: string;
  /** More for the document's title alone. */
  tab?: readonly string[];
  actions?: ReactNode;
}) {
  const route = id === undefined ? title : `${title} ${id}`;
  const full = recordName ? `${route} · ${recordName}` : route;
  return (
    <>
      <title>{[route, ...tab, PRODUCT_NAME].join(" · ")}</title>
      <div className="mb-4 flex min-h-control flex-wrap items-center justify-between gap-3">
        <h1 className="min-w-0 font-semibold text-2xl wrap-anywhere">
          {name ? (
            <>
              <span className="block font-medium text-base text-muted">{full}</span> {name}
            </>
          ) : (
            full
          )}
        </h1>
        {actions}
      </div>
    </>
  );
}
