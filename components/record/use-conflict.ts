"use client";

import { useState } from "react";
import type { Compared, Difference, Versions } from "@/components/record/differences";

/** A record on the screen that somebody else may have saved meanwhile. */
type Conflicting<Stored, Values extends object> = Compared & {
  /** Reads the stored record. */
  read: () => Promise<Stored>;
  versions: (stored: Stored) => Versions<Values>;
  /** Continues with these values on top of the stored record. */
  use: (values: Values, stored: Stored) => void;
};

/** What somebody else has saved meanwhile, and how to merge it with what is typed here. */
export type Conflict = {
  found: Difference[];
  merge: (takesTheirs: (name: string) => boolean) => void;
};

/** Reads the stored record and finds where it differs from what is typed here. */
export async function readConflict<Stored, Values extends object>(
  record: Conflicting<Stored, Values>,
): Promise<Conflict> {
  const [stored, { differences, merged }] = await Promise.all([
    record.read(),
    import("@/components/record/differences"),
  ]);
  const versions = record.versions(stored);
  const found = differences(versions, record);
  return {
    found,
    merge: (takesTheirs) => record.use(merged(versions, record, found, takesTheirs), stored),
  };
}

/** The conflict shown in a `ConflictDialog`; null if there is none. */
export function useConflict() {
  const [conflict, setConflict] = useState<Conflict | null>(null);
  return {
    conflict,
    /** Shows a conflict until it is merged or dismissed. Rejects if the stored record cannot be read. */
    open: async (reading: Promise<Conflict>) => {
      const { found, merge } = await reading;
      setConflict({
        found,
        merge(takesTheirs) {
          merge(takesTheirs);
          setConflict(null);
        },
      });
    },
    close: () => setConflict(null),
  };
}
