import { type KeyboardEvent, type MouseEvent, useId, useState } from "react";

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

const scrollIntoView = (option: HTMLElement | null) => option?.scrollIntoView({ block: "nearest" });
/** Keeps the focus in the input, whose blur may close the list. */
const keepFocus = (event: MouseEvent) => event.preventDefault();

/**
 * The keyboard and ARIA behavior of a combobox. The input keeps the focus, and the arrow keys move the active option.
 * While Enter would not choose it, no option is marked as the active one. Returns the props of the input, of the list, and of
 * each option. `restart` makes the first option the active one.
 */
export function useListbox({
  label,
  count,
  isOpen,
  onEnter = "choose",
  onChoose,
  onOpen,
  onClose,
}: {
  /** The accessible name of the list. */
  label: string;
  count: number;
  isOpen: boolean;
  /** `wait` ignores the key; `pass` leaves it to the form. */
  onEnter?: "choose" | "wait" | "pass";
  onChoose: (index: number) => void;
  /** Called by an arrow key while the list is closed. */
  onOpen?: () => void;
  /** Called by Escape while the list is open. */
  onClose?: () => void;
}) {
  const listId = useId();
  const [active, setActive] = useState(0);
  const idOf = (index: number) => `${listId}-${index}`;
  const marked = onEnter === "choose" ? active : -1;

  function onKeyDown(event: KeyboardEvent) {
    // An input method uses the keys until it has composed the character.
    if (event.nativeEvent.isComposing) return;
    const step = STEPS[event.key];
    if (step !== undefined) {
      if (isOpen) setActive((active + step + count) % Math.max(count, 1));
      else onOpen?.();
    } else if (event.key === "Enter" && onEnter !== "pass") {
      if (onEnter === "choose" && active < count) onChoose(active);
    } else if (event.key === "Escape" && isOpen && onClose) onClose();
    else return;
    event.preventDefault();
  }

  return {
    restart: () => setActive(0),
    input: {
      role: "combobox",
      "aria-expanded": isOpen,
      "aria-controls": listId,
      "aria-autocomplete": "list",
      "aria-activedescendant": isOpen && marked >= 0 && marked < count ? idOf(marked) : undefined,
      autoComplete: "off",
      onKeyDown,
    } as const,
    list: { id: listId, role: "listbox", "aria-label": label, hidden: !isOpen || count === 0 } as const,
    optionAt: (index: number) =>
      ({
        id: idOf(index),
        role: "option",
        tabIndex: -1,
        "aria-selected": index === marked,
        ref: index === active ? scrollIntoView : undefined,
        onMouseDown: keepFocus,
        onClick: () => onChoose(index),
      }) as const,
  };
}
