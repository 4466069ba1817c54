/** The event of an element that is about to be used, although its section may be closed. */
export const OPEN_SECTION = "open-section";

/** Opens the section of an element, if it is closed. */
export const openSection = (element: Element | null | undefined): unknown =>
  element?.dispatchEvent(new Event(OPEN_SECTION, { bubbles: true }));

/** Focuses a field, in its open section. */
export function focusField(field: HTMLElement | null | undefined): void {
  openSection(field);
  const details = field?.closest("details");
  if (details) details.open = true;
  field?.focus();
}
