import type { ReactNode } from "react";
import { PRODUCT_NAME } from "@/lib/core/product";

/**
 * The title bar: the route's display name, the id parameter if present, and the record's name: `Edit Referral Source 5
 * · VALLEY-HOSP`. It also sets the document's title. Browsers store that in their history, so it must not contain a
 * person's name.
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
  /** The name of a record that is not confidential. */
  recordName?: string;
  /** The name of the client on the page. */
  name?: string;
  /** More parts for the document's title only. */
  tab?: readonly string[];
  actions?: ReactNode;
}) {
  const route = id === undefined ? title : `${title} ${id}`;
  const full = recordName ? `${route} · ${recordName}` : route;
  return (
    <>
      <title>{[route, ...tab, PRODUCT_NAME].join(" · ")}</title>
      {/* Its actions end where a narrow page does. */}
      <div className="mb-4 flex min-h-control flex-wrap items-center justify-between gap-3 has-[+.max-w-3xl]:max-w-3xl">
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
