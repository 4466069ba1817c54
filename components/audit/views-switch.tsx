"use client";

import { useTableQuery } from "@/components/ui/table-query";

/** A checkbox that also shows events in which records were only viewed. Its state is in the URL. */
export function ViewsSwitch({ query: { params, set } }: { query: ReturnType<typeof useTableQuery> }) {
  return (
    <label
      className="flex min-h-control items-center gap-2.5"
      title="Views: opened, listed, searched, printed"
    >
      <input
        type="checkbox"
        className="check"
        checked={params.get("filters[views]") === "true"}
        onChange={({ target }) => set({ "filters[views]": target.checked ? "true" : null, page: null })}
      />
      Show views
    </label>
  );
}

/** The same checkbox for a record's history. */
export const HistoryViews = () => <ViewsSwitch query={useTableQuery()} />;
