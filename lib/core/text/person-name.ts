// Names of people as they are written.

const SUFFIX = /^(?:jr|sr|ii|iii|iv|esq|md|phd|dds|rn)\.?$/i;

const NAME = /^[\p{L}\p{M}\s.'’`\p{Pd}]+$/u;

/** Returns `Last, First` as `First Last`. A suffix such as Jr. stays at the end. Other names stay as they are. */
export function turnedName(name: string): string {
  const parts = name.split(",").map((part) => part.trim());
  if (!parts.every((part) => NAME.test(part)) || parts.length > 4) return name;
  const suffixes = parts.slice(1).filter((part) => SUFFIX.test(part));
  const [last = "", first, middle, ...more] = parts.filter((part, at) => at === 0 || !SUFFIX.test(part));
  if (first === undefined || more.length > 0) return name;
  return [first, middle, last, ...suffixes].filter(Boolean).join(" ").replace(/\s+/g, " ");
}

/** Returns the first name of `Maria Garcia`, and of `Garcia, Maria`. */
export const firstName = (name: string): string => turnedName(name.trim()).split(/\s+/)[0] ?? "";
