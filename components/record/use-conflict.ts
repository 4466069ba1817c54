"use client";

import { type ComponentProps, type ComponentType, useState } from "react";
import type { ConflictDialog } from "@/components/record/conflict-dialog";
import type { Compared, Difference, Versions } from "@/components/record/differences";

/** A record on the screen that someone else may have saved in the meantime. */
type Conflicting<Stored, Values extends object> = Compared & {
  /** Reads the stored record and compares it with the typed values. */
  read: () => Promise<Stored>;
  versions: (stored: Stored) => Versions<Values>;
  /** How its phone numbers are shown; undefined if it has none. */
  phone?: (stored: Stored) => ComponentProps<typeof ConflictDialog>["phone"];
  /** Applies these values on top of the stored record. */
  use: (values: Values, stored: Stored) => void;
};

/** The changes that someone else has saved, and a function that merges them with the typed values. */
export type Conflict = {
  /** The dialog, whose code is loaded with the comparison. */
  Dialog: ComponentType<ComponentProps<typeof ConflictDialog>>;
  found: Difference[];
  phone: ComponentProps<typeof ConflictDialog>["phone"];
  merge: (takesTheirs: (name: string) => boolean) => void;
};

/** Reads the stored record and compares it with the typed values. */
export async function readConflict<Stored, Values extends object>(
  record: Conflicting<Stored, Values>,
): Promise<Conflict> {
  const [storedRecord, { differences, merged }, { ConflictDialog }] = await Promise.all([
    record.read(),
    import("@/components/record/differences"),
    import("@/components/record/conflict-dialog"),
  ]);
  const versions = record.versions(storedRecord);
  const found = differences(versions, record);
  return {
    Dialog: ConflictDialog,
    found,
    phone: record.phone?.(storedRecord),
    merge: (takesTheirs) => record.use(merged(versions, record, found, takesTheirs), storedRecord),
  };
}

/** The conflict shown in its dialog; null if there is none. */
export function useConflict() {
  const [conflict, setConflict] = useState<Conflict | null>(null);
  return {
    conflict,
    /** Shows a conflict until it is merged or dismissed. Rejects if the stored record cannot be read. */
    open: async (reading: Promise<Conflict>) => {
      const { merge, ...read } = await reading;
      setConflict({
        ...read,
        merge(takesTheirs) {
          merge(takesTheirs);
          setConflict(null);
        },
      });
    },
    close: () => setConflict(null),
  };
}
