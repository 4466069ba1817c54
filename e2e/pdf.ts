import { inflateSync } from "node:zlib";

/**
 * Returns the text of a PDF printed by Chromium, one line per run of text. Supports only Skia's output:
 * deflated streams, two-byte glyph codes, a ToUnicode map for each font.
 */
export const pdfText = (pdf: Buffer): string => pdfPages(pdf).join("\n");

/** Returns the text like `pdfText`, page by page. */
export function pdfPages(pdf: Buffer): string[] {
  const objects = new Map<string, string>();
  for (const [, id = "", body = ""] of pdf.toString("latin1").matchAll(/(\d+) 0 obj\b([\s\S]*?)\bendobj/g)) {
    objects.set(id, body);
  }
  const object = (id: string | undefined) => objects.get(id ?? "") ?? "";
  const pages = [...objects.values()].filter((body) => /\/Type\s*\/Page\b/.test(body));
  return pages.map((page) => {
    const fonts = new Map<string, Map<number, string>>();
    for (const [, name = "", id] of page.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      fonts.set(name, glyphs(stream(object(/\/ToUnicode (\d+)/.exec(object(id))?.[1]))));
    }
    return pageText(stream(object(/\/Contents (\d+)/.exec(page)?.[1])), fonts).normalize("NFKC");
  });
}

function stream(body: string): string {
  const [, raw = ""] = /stream\r?\n([\s\S]*?)\nendstream/.exec(body) ?? [];
  return body.includes("/FlateDecode") ? inflateSync(Buffer.from(raw, "latin1")).toString("latin1") : raw;
}

/** Returns glyph code → text, from the `bfchar` pairs and `bfrange` triples of a ToUnicode map. */
function glyphs(map: string): Map<number, string> {
  const characters = new Map<number, string>();
  const hex = (digits: string | undefined) => Number.parseInt(digits ?? "", 16);
  for (const [, block = ""] of map.matchAll(/beginbfchar([\s\S]*?)endbfchar/g)) {
    for (const [, code, text] of block.matchAll(/<(\w+)> <(\w{4})\w*>/g)) {
      characters.set(hex(code), String.fromCharCode(hex(text)));
    }
  }
  for (const [, block = ""] of map.matchAll(/beginbfrange([\s\S]*?)endbfrange/g)) {
    for (const [, first, last, text] of block.matchAll(/<(\w+)> <(\w+)> <(\w{4})>/g)) {
      for (let code = hex(first); code <= hex(last); code++) {
        characters.set(code, String.fromCharCode(hex(text) + code - hex(first)));
      }
    }
  }
  return characters;
}

function pageText(content: string, fonts: Map<string, Map<number, string>>): string {
  return [...content.matchAll(/BT([\s\S]*?)ET/g)]
    .map(([, block = ""]) => {
      const font = fonts.get(/\/(F\d+) [\d.]+ Tf/.exec(block)?.[1] ?? "");
      const shown = [...block.matchAll(/<(\w+)> Tj/g)].map(([, codes = ""]) => codes.match(/.{4}/g) ?? []);
      return shown
        .flat()
        .map((code) => font?.get(Number.parseInt(code, 16)) ?? "")
        .join("");
    })
    .join("\n");
}
