import { type MaskName, masks } from "@/lib/core/text/format";

/** The text of each input as typed, and as its mask shows it. */
const texts = new WeakMap<HTMLInputElement, { typed: string; shown: string }>();
let replacing = false;

/**
 * Formats an input with its mask after a change. It formats only what is typed or pasted at the end: a deletion, an undo
 * or an edit in the middle would otherwise move other characters. If more follows and the text no longer fits, it shows
 * the text as it was typed.
 */
export function applyMask(input: HTMLInputElement, mask: MaskName, event: Event) {
  if (replacing) return;
  const { value } = input;
  const { inputType = "insertText", isComposing = false } = event instanceof InputEvent ? event : {};
  const isAtEnd = input.selectionEnd === null || input.selectionEnd === value.length;
  const before = texts.get(input);
  if (isComposing || !isAtEnd || !(inputType || "insertText").startsWith("insert")) {
    texts.set(input, { typed: value, shown: value });
    return;
  }
  const continues = before !== undefined && value.startsWith(before.shown);
  const typed = continues ? before.typed + value.slice(before.shown.length) : value;
  const shown = masks[mask](typed);
  texts.set(input, { typed, shown });
  if (shown !== value) replace(input, shown);
}

function replace(input: HTMLInputElement, text: string) {
  replacing = true;
  try {
    input.setSelectionRange(0, input.value.length);
    // Setting the value would end the browser's undo.
    if (document.activeElement !== input || !document.execCommand("insertText", false, text))
      input.value = text;
  } finally {
    replacing = false;
  }
}

/** Returns the formatted text of an input that the user leaves. A text that was not changed stays as it is. */
export const leftWith = (input: HTMLInputElement, mask: MaskName): string =>
  texts.has(input) ? masks[mask](input.value) : input.value;
