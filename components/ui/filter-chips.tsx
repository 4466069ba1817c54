"use client";

import { useRef } from "react";
import { Button } from "./controls";
import { onFirstClick } from "./first-click";
import { CloseIcon } from "./icons";
import { useTable } from "./table-query";

/** An active filter: its text, and its URL parameter. */
export type Chip = { name: string; text: string };

/** Shows the active filters of a list, each with a button that clears it. */
export function FilterChips({ chips }: { chips: readonly Chip[] }) {
  const query = useTable();
  const list = useRef<HTMLUListElement>(null);
  if (chips.length === 0) return null;
  function clear(cleared: readonly Chip[]) {
    // The pressed button goes. The focus moves to another chip, or else to the first select or button of the toolbar, because
    // a phone opens its keyboard for an input.
    const others = chips.filter((chip) => !cleared.includes(chip)).map(({ name }) => name);
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>("[data-chip]") ?? [])];
    const controls = list.current?.closest("[data-toolbar]")?.querySelectorAll<HTMLElement>("select, button");
    const next =
      buttons.find(({ dataset }) => others.includes(dataset.chip ?? "")) ??
      [...(controls ?? [])].find((control) => control.checkVisibility());
    next?.focus();
    query.set({
      ...Object.fromEntries(cleared.map(({ name }) => [`filters[${name}]`, null])),
      page: null,
    });
  }
  return (
    <ul ref={list} aria-label="Filters" className="flex w-full flex-wrap items-center gap-2">
      {chips.map((chip) => (
        <li key={chip.name}>
          <Button
            size="sm"
            data-chip={chip.name}
            className="wrap-anywhere"
            aria-label={`Clear ${chip.text}`}
            onClick={onFirstClick(() => clear([chip]))}
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
