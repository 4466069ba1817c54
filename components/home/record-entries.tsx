"use client";

import { openEntry } from "@/components/shell/open-entry";
import { Button } from "@/components/ui/controls";
import { useHydrated } from "@/components/ui/hydrated";
import { recordTitle } from "@/lib/core/records/declaration";
import { capitalize } from "@/lib/core/text/format";
import type { EnteredKey } from "@/lib/records/quick-entry";
import { records } from "@/lib/records/registry";

/** Buttons that open the quick entry of each kind of record. */
export function RecordEntries({ kinds }: { kinds: readonly EnteredKey[] }) {
  const hydrated = useHydrated();
  return kinds.map((kind, at) => (
    <Button
      key={kind}
      size="sm"
      title={at === 0 ? `${recordTitle(records[kind])} (c)` : recordTitle(records[kind])}
      disabled={!hydrated}
      onClick={() => openEntry(kind)}
    >
      {capitalize(records[kind].words.record)}
    </Button>
  ));
}
