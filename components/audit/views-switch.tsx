"use client";

import { useTableQuery } from "@/components/ui/table-query";

/** A checkbox that shows the events in which records were only looked at. Its state is in the URL. */
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

/** The checkbox of a record's history. */
export const HistoryViews = () => <ViewsSwitch query={useTableQuery()} />;
