import { type MaskName, masks } from "@/lib/core/fields/format";

/** Formats the input's text with its mask and keeps the caret behind the same digit. */
export function applyMask(input: HTMLInputElement, mask: MaskName) {
  const caret = input.selectionStart ?? input.value.length;
  const atEnd = caret === input.value.length;
  const digitsBefore = input.value.slice(0, caret).replace(/\D/g, "").length;
  input.value = masks[mask](input.value);
  if (atEnd) return;
  let position = 0;
  for (let seen = 0; seen < digitsBefore && position < input.value.length; position++) {
    if (/\d/.test(input.value.charAt(position))) seen++;
  }
  input.setSelectionRange(position, position);
}
