"use client";

import { createContext, type ReactNode, useContext, useRef, useState } from "react";
import { useHydrated } from "./hydrated";

type Selection = {
  selected: ReadonlySet<number>;
  /** The number of visible rows. */
  count: number;
  /** Selects or deselects a row; with `isRange`, all rows from the one clicked before. */
  set: (id: number, on: boolean, isRange: boolean) => void;
  setAll: (on: boolean) => void;
};

const BOX =
  "print-hidden inline-flex size-8 flex-none items-center justify-center pointer-coarse:-mx-1.5 pointer-coarse:size-11 max-sm:-m-1.5 max-sm:size-11";
/** Aligns the checkboxes of rows with Select all when a narrow table is shown as a list. */
const IN_LINE = "@max-[40.01rem]:-ml-1.5 pointer-coarse:@max-[40.01rem]:-ml-3 max-sm:@max-[40.01rem]:-ml-3";

const SelectionContext = createContext<Selection | null>(null);

function useSelectionContext(): Selection {
  const selection = useContext(SelectionContext);
  if (!selection) throw new Error("A select box must be inside a SelectionProvider");
  return selection;
}

/** Returns the selection among the rows `ids`. Rows that are no longer visible are no longer selected. */
export function useSelection(ids: readonly number[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const last = useRef<number | null>(null);
  return {
    selected: new Set(ids.filter((id) => chosen.has(id))),
    count: ids.length,
    set(id, on, isRange) {
      const from = ids.indexOf(last.current ?? id);
      const to = ids.indexOf(id);
      const range = isRange && from >= 0 ? ids.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
      last.current = id;
      setChosen((before) => {
        const after = new Set(before);
        for (const each of range) on ? after.add(each) : after.delete(each);
        return after;
      });
    },
    setAll: (on) => setChosen(new Set(on ? ids : [])),
  };
}

export function SelectionProvider({ selection, children }: { selection: Selection; children: ReactNode }) {
  return <SelectionContext value={selection}>{children}</SelectionContext>;
}

/** A checkbox that selects a row; with Shift, all rows from the one clicked before. */
export function SelectBox({ id, label }: { id: number; label: string }) {
  const { selected, set } = useSelectionContext();
  const shift = useRef(false);
  return (
    <label className={`${BOX} ${IN_LINE}`}>
      <input
        type="checkbox"
        className="check disabled:border-control-line disabled:bg-surface"
        // Before the page has its scripts, a tick would be shown without its effect.
        disabled={!useHydrated()}
        aria-label={label}
        checked={selected.has(id)}
        onClick={(event) => {
          shift.current = event.shiftKey;
        }}
        onChange={(event) => set(id, event.target.checked, shift.current)}
      />
    </label>
  );
}

/** A checkbox that selects all visible rows, or none. */
export function SelectAllBox({ hideLabel = false }: { hideLabel?: boolean }) {
  const { selected, count, setAll } = useSelectionContext();
  return (
    <label className={hideLabel ? BOX : "flex min-h-control items-center gap-2 whitespace-nowrap text-sm"}>
      <input
        type="checkbox"
        className="check"
        checked={count > 0 && selected.size === count}
        ref={(box) => {
          if (box) box.indeterminate = selected.size > 0 && selected.size < count;
        }}
        disabled={!useHydrated() || count === 0}
        onChange={(event) => setAll(event.target.checked)}
      />
      <span className={hideLabel ? "sr-only" : undefined}>Select all</span>
    </label>
  );
}
