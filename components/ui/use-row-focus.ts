import { type FocusEvent, useEffect, useRef } from "react";

/**
 * If the focused row is removed, moves the focus to the same control of the row that takes its place. If another
 * focused control is removed, moves it to the element with the returned props. `selector` matches rows. Rows and controls
 * are removed only when `data` or `state` changes.
 */
export function useRowFocus(data: unknown, selector = "tbody tr", state: unknown = null) {
  const ref = useRef<HTMLDivElement>(null);
  /** The last focused control; `row` and `place` are -1 if it was in no row. */
  const last = useRef<{ control: Element; row: number; place: number } | null>(null);
  const controls = (row: Element | undefined) => [
    ...(row?.querySelectorAll<HTMLElement>("a, button, input") ?? []),
  ];

  // biome-ignore lint/correctness/useExhaustiveDependencies: new data or another state may have removed the focused row
  useEffect(() => {
    const lost = last.current;
    if (!lost || lost.control.isConnected || document.activeElement !== document.body) return;
    last.current = null;
    const rows = ref.current?.querySelectorAll(selector) ?? [];
    const target = controls(rows[Math.min(lost.row, rows.length - 1)])[lost.place];
    if (target) target.focus();
    else ref.current?.focus({ preventScroll: true });
  }, [data, state]);

  return {
    ref,
    tabIndex: -1,
    onFocus({ target }: FocusEvent<HTMLElement>) {
      const row = target.closest(selector);
      last.current = {
        control: target,
        row: row ? [...(row.parentElement?.children ?? [])].indexOf(row) : -1,
        place: row ? controls(row).indexOf(target) : -1,
      };
    },
  };
}
