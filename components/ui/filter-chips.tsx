"use client";

import { Button } from "./controls";
import { CloseIcon } from "./icons";
import { useTable } from "./table-query";

/** An active filter: its text, and its URL parameter. */
export type Chip = { name: string; text: string };

/** Shows the active filters of a list, each with a button that clears it. */
export function FilterChips({ chips }: { chips: readonly Chip[] }) {
  const query = useTable();
  if (chips.length === 0) return null;
  const clear = (cleared: readonly Chip[]) =>
    query.set({
      ...Object.fromEntries(cleared.map(({ name }) => [`filters[${name}]`, null])),
      page: null,
    });
  return (
    <ul aria-label="Filters" className="flex w-full flex-wrap items-center gap-2">
      {chips.map((chip) => (
        <li key={chip.name}>
          <Button
            size="sm"
            className="wrap-anywhere"
            aria-label={`Clear ${chip.text}`}
            onClick={() => clear([chip])}
          >
            {chip.text}
            <CloseIcon />
          </Button>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <Button size="sm" variant="ghost" onClick={() => clear(chips)}>
            Clear all
          </Button>
        </li>
      )}
    </ul>
  );
}
