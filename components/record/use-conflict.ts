"use client";

import { type ComponentProps, type ComponentType, type ReactNode, useState } from "react";
import type { ConflictDialog } from "@/components/record/conflict-dialog";
import type { Compared, Difference, Versions } from "@/components/record/differences";

/** A value of the stored record that the screen gets only when the user requests or chooses it. */
export type HiddenValue<Stored> = {
  /** Its path in the screen's form. */
  name: string;
  badge: (stored: Stored) => ReactNode;
  isHidden: (stored: Stored) => boolean;
  /** Returns the record with the value, and records that it was shown. */
  reveal: (stored: Stored) => Promise<Stored>;
  /** Returns the record with the value that the screen loaded, to ask again if the next save conflicts. */
  withLoaded: (stored: Stored) => Stored;
};

/** A record on the screen that someone else may have saved in the meantime. */
type Conflicting<Stored, Values extends object> = Compared & {
  /** Reads the stored record and compares it with the typed values. */
  read: () => Promise<Stored>;
  versions: (stored: Stored) => Versions<Values>;
  hidden?: HiddenValue<Stored>;
  /** Applies these values on top of the stored record. */
  use: (values: Values, stored: Stored) => void;
};

/** The changes that someone else has saved, and a function that merges them with the typed values. */
export type Conflict = {
  /** The dialog, whose code is loaded with the comparison. */
  Dialog: ComponentType<ComponentProps<typeof ConflictDialog>>;
  found: Difference[];
  /** The badge of the hidden value, and a function that returns the conflict with it. */
  phone?: { badge: ReactNode; reveal: () => Promise<Conflict> };
  /** Rejects if the hidden value was chosen and cannot be read. Otherwise it is done when it returns. */
  merge: (takesTheirs: (name: string) => boolean) => Promise<void>;
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
  const { hidden } = record;
  function conflictWith(stored: Stored): Conflict {
    const versions = record.versions(stored);
    const found = differences(versions, record);
    const reveal = async () => (hidden ? conflictWith(await hidden.reveal(stored)) : conflictWith(stored));
    return {
      Dialog: ConflictDialog,
      found,
      ...(hidden && { phone: { badge: hidden.badge(stored), reveal } }),
      async merge(takesTheirs) {
        const isHidden = hidden?.isHidden(stored) ?? false;
        if (hidden && isHidden && takesTheirs(hidden.name)) return (await reveal()).merge(takesTheirs);
        const values = merged(versions, record, found, takesTheirs);
        record.use(values, hidden && isHidden ? hidden.withLoaded(stored) : stored);
      },
    };
  }
  return conflictWith(storedRecord);
}

/** The conflict shown in its dialog; null if there is none. */
export function useConflict() {
  const [conflict, setConflict] = useState<Conflict | null>(null);

  const show = (read: Conflict): Conflict => {
    const { phone, merge } = read;
    setConflict({
      ...read,
      ...(phone && { phone: { ...phone, reveal: async () => show(await phone.reveal()) } }),
      async merge(takesTheirs) {
        await merge(takesTheirs);
        setConflict(null);
      },
    });
    return read;
  };
  return {
    conflict,
    /** Shows a conflict until it is merged or dismissed. Rejects if the stored record cannot be read. */
    open: async (reading: Promise<Conflict>) => {
      show(await reading);
    },
    close: () => setConflict(null),
  };
}
