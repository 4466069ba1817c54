import type { FocusEvent, KeyboardEvent } from "react";

const isCut = ({ scrollHeight, clientHeight, scrollWidth, clientWidth }: Element) =>
  scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1;

/** Sets the texts of the row with the focus that are cut off, which data-table.css shows below the row. */
export function showCutText({ target }: FocusEvent<HTMLElement>) {
  const row = target.closest("tr");
  if (!row) return;
  const texts = [...row.querySelectorAll(".cell-text")].filter(isCut).map((text) => text.textContent);
  if (texts.length > 0) row.dataset.whole = texts.join(" · ");
  else delete row.dataset.whole;
}

/** Hides them again on Escape, without moving the focus. The press counts toward hiding the screen, which is urgent. */
export function hideCutText({ key, target }: KeyboardEvent<HTMLElement>) {
  const row = target instanceof Element ? target.closest<HTMLElement>("tr[data-whole]") : null;
  if (key === "Escape" && row) delete row.dataset.whole;
}
