import type { ReactNode } from "react";
import { APP_NAME } from "./brand";

/**
 * The title bar: the route's display name, plus the id parameter when present (spec §2), above the name of whom the page
 * is about. Sets the document's title too, which browsers keep in their history: no personal data in it.
 */
export function PageTitle({
  title,
  id,
  name,
  tab = [],
  actions,
}: {
  title: string;
  id?: string | number;
  /** Shown in the heading only, never in the document's title. */
  name?: string;
  /** More for the document's title alone. */
  tab?: readonly string[];
  actions?: ReactNode;
}) {
  const full = id === undefined ? title : `${title} ${id}`;
  return (
    <>
      <title>{[full, ...tab, APP_NAME].join(" · ")}</title>
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
