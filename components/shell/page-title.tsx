import type { ReactNode } from "react";
import { APP_NAME } from "./brand";

/**
 * The title bar: the route's display name, plus the id parameter when present (spec §2). Sets the document's
 * title too, which browsers keep in their history: no personal data in it.
 */
export function PageTitle({
  title,
  id,
  tab = [],
  actions,
}: {
  title: string;
  id?: string | number;
  /** More for the document's title alone. */
  tab?: readonly string[];
  actions?: ReactNode;
}) {
  const full = id === undefined ? title : `${title} ${id}`;
  return (
    <>
      <title>{[full, ...tab, APP_NAME].join(" · ")}</title>
      <div className="mb-4 flex min-h-control flex-wrap items-center justify-between gap-3">
        <h1 className="font-semibold text-2xl">{full}</h1>
        {actions}
      </div>
    </>
  );
}
