const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Returns a text as HTML, also for the value of an attribute in double quotes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);

/** HTML that is complete and safe to show. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | false | null | undefined | readonly Part[];

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(textOf).join("");
  return part === false || part === null || part === undefined ? "" : escapeHtml(String(part));
}

/** The tag of a template for HTML. Values are escaped, unless they are `Html`; false, null, and undefined are left out. */
export const html = ({ raw }: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(raw.map((literal, at) => literal + textOf(parts[at])).join(""));
