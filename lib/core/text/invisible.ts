// Zero width space, word joiner, byte order mark, soft hyphen and direction marks are copied along with text. They are
// invisible, and would make two different names of one. Zero width joiners stay, because Persian and Indic names need them.
const INVISIBLE = /[\u200B\u2060\uFEFF\u00AD\u200E\u200F\u061C]/g;
/** Embeddings, overrides and isolates. */
const DIRECTION = /[\u202A-\u202E\u2066-\u2069]/g;

/**
 * Returns text of one line without the invisible characters that come along with copied text. Direction characters that
 * only wrap the text are removed too. Inside the text they stay (`hasDirection`).
 */
export function withoutInvisible(value: string): string {
  const text = value.replace(INVISIBLE, "");
  if (!hasDirection(text)) return text;
  const isInside = (character: string) => character.search(DIRECTION) < 0 && character.trim() !== "";
  const characters = text.split("");
  const first = characters.findIndex(isInside);
  const last = characters.findLastIndex(isInside);
  return characters
    .filter((character, at) => (first <= at && at <= last) || character.search(DIRECTION) < 0)
    .join("");
}

/** True if direction characters are left, which can show another text than is stored. */
export const hasDirection = (value: string): boolean => value.search(DIRECTION) >= 0;

/** Returns text without any of these characters, for names in messages. */
export const withoutDirection = (value: string): string =>
  value.replace(INVISIBLE, "").replace(DIRECTION, "");
