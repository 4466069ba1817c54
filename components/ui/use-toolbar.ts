import { type FocusEvent, type KeyboardEvent, type ToggleEvent, useEffect, useRef } from "react";

const controlsOf = (bar: Element): HTMLElement[] => [
  ...bar.querySelectorAll<HTMLElement>("a[href], button:not(:disabled)"),
];

/** Makes `stop` the only control of the bar that Tab reaches. With null, Tab reaches all of them. */
function setStop(bar: Element, stop: HTMLElement | null): void {
  for (const control of controlsOf(bar)) control.tabIndex = !stop || control === stop ? 0 : -1;
}

/** Returns the index that a key moves to among `count` controls; null for other keys. */
function movedTo(key: string, at: number, count: number): number | null {
  if (key === "ArrowRight" || key === "ArrowDown") return (at + 1) % count;
  if (key === "ArrowLeft" || key === "ArrowUp") return (at + count - 1) % count;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : null;
}

/**
 * Returns the props of a toolbar: Tab stops in it once, and the arrow keys, Home, and End move within it. While it is open
 * as a popover, Tab also reaches each control.
 */
export function useToolbar() {
  const ref = useRef<HTMLDivElement>(null);
  // After each render, because a control may be new.
  useEffect(() => {
    const bar = ref.current;
    if (!bar || bar.matches(":popover-open")) return;
    const controls = controlsOf(bar);
    setStop(bar, controls.find((control) => control.getAttribute("tabindex") === "0") ?? controls[0] ?? null);
  });

  return {
    ref,
    role: "toolbar",
    onFocus({ currentTarget, target }: FocusEvent<HTMLElement>) {
      if (target instanceof HTMLElement && !currentTarget.matches(":popover-open"))
        setStop(currentTarget, target);
    },
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      const controls = controlsOf(event.currentTarget);
      const at = event.target instanceof HTMLElement ? controls.indexOf(event.target) : -1;
      const next = at < 0 ? null : movedTo(event.key, at, controls.length);
      if (next === null) return;
      event.preventDefault();
      controls[next]?.focus();
    },
    onBeforeToggle({ currentTarget, newState }: ToggleEvent<HTMLElement>) {
      const [first = null] = controlsOf(currentTarget);
      setStop(currentTarget, newState === "open" ? null : first);
    },
  };
}
