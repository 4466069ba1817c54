import { type MaskName, masks } from "@/lib/fields/format";

/** Rewrites what stands in the input by its mask, leaving the caret behind the digit it stood behind. */
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
