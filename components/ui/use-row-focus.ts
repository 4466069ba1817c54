import { type FocusEvent, useEffect, useRef } from "react";

/**
 * When the focused row is removed, moves the focus to the same control of the row that takes its place; `selector` says
 * what a row is.
 */
export function useRowFocus(data: unknown, selector = "tbody tr") {
  const ref = useRef<HTMLDivElement>(null);
  const last = useRef<{ control: Element; row: number; place: number } | null>(null);
  const controls = (row: Element | undefined) => [
    ...(row?.querySelectorAll<HTMLElement>("a, button, input") ?? []),
  ];

  // biome-ignore lint/correctness/useExhaustiveDependencies: new data is what may have removed the focused row
  useEffect(() => {
    const lost = last.current;
    if (!lost || lost.control.isConnected || document.activeElement !== document.body) return;
    last.current = null;
    const rows = ref.current?.querySelectorAll(selector) ?? [];
    const target = controls(rows[Math.min(lost.row, rows.length - 1)])[lost.place] ?? ref.current;
    target?.focus();
  }, [data]);

  return {
    ref,
    tabIndex: -1,
    onFocus({ target }: FocusEvent<HTMLElement>) {
      const row = target.closest(selector);
      last.current = row && {
        control: target,
        row: [...(row.parentElement?.children ?? [])].indexOf(row),
        place: controls(row).indexOf(target),
      };
    },
  };
}
