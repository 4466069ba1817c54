import purify from "dompurify";
import { Marked } from "marked";
import { anchorOf } from "@/lib/core/text/anchor";
import { escapeHtml } from "@/lib/core/text/html";

// Loaded by Markdown when a text is near the viewport.

// No images or media: loading them would reveal the reader to another host.
const TEXT = {
  ALLOWED_TAGS: [
    ..."p br hr strong em b i del code pre blockquote ul ol li a h1 h2 h3 h4 h5 h6".split(" "),
    ..."table thead tbody tr th td".split(" "),
  ],
  ALLOWED_ATTR: ["href", "title"],
};
/** The product's own documents have pictures and headings to link to. Their addresses are on this site only. */
const DOCUMENT = {
  ALLOWED_TAGS: [...TEXT.ALLOWED_TAGS, "picture", "source", "img"],
  ALLOWED_ATTR: [...TEXT.ALLOWED_ATTR, "id", "src", "srcset", "media", "alt"],
  ALLOWED_URI_REGEXP: /^(?:#|\/(?!\/))/,
  ADD_URI_SAFE_ATTR: ["media"],
};

const texts = new Marked({ async: false, breaks: true, gfm: true });
const documents = new Marked({
  async: false,
  gfm: true,
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>`;
    },
    // Each picture has a counterpart that was taken on a phone.
    image({ href, text }) {
      const phone = href.replace(/\.webp$/, "-phone.webp");
      const isPhone = href.endsWith("-phone.webp");
      const source = isPhone ? "" : `<source media="(width < 40rem)" srcset="${escapeHtml(phone)}">`;
      return `<picture>${source}<img src="${escapeHtml(href)}" alt="${escapeHtml(text)}"></picture>`;
    },
  },
});

/** Returns sanitized HTML of a Markdown text, or of one of the product's own documents. */
export function htmlOf(text: string, isDocument: boolean): string {
  const [marked, allowed] = isDocument ? [documents, DOCUMENT] : [texts, TEXT];
  return purify.sanitize(String(marked.parse(text)), allowed);
}
