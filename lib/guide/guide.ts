import "server-only";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { TEXT_MAX } from "@/lib/core/fields/validation";
import { keysOf } from "@/lib/core/objects";
import { PAGES, to } from "@/lib/core/pages";
import { PROGRAM_FOLDER } from "@/lib/core/process/program-folder";
import { anchorOf } from "@/lib/core/text/anchor";
import { CONTENTS, GUIDE_OF, GUIDE_OF_RECORDS, GUIDE_PAGES, type GuidePage } from "@/lib/guide/contents";
import { recordKeys } from "@/lib/records/registry";

/** The folder of the documents. The build copies it into `dist` (lib/ops/bundle.ts). */
const FOLDER = path.join(PROGRAM_FOLDER, "docs", "guide");
const PICTURES = path.join(FOLDER, "pictures");

/** A page of the guide: its title, and its Markdown with the addresses that the product serves. */
type GuideText = { name: GuidePage; title: string; text: string };

const isGuidePage = (name: string): name is GuidePage => GUIDE_PAGES.some((page) => page === name);

/** Returns a page of the guide. */
async function readGuidePage(name: GuidePage): Promise<GuideText> {
  const document = await readFile(path.join(FOLDER, `${name}.md`), "utf8");
  const [heading = "", ...rest] = document.split("\n");
  const text = rest
    .join("\n")
    .trim()
    .replaceAll("](pictures/", "](/api/guide/pictures/")
    .replaceAll(/\]\(([a-z-]+)\.md(#[a-z-]+)?\)/g, (_, page: string, anchor = "") =>
      isGuidePage(page) ? `](${to("helpPage", { page })}${anchor})` : `](${anchor})`,
    );
  return { name, title: heading.replace(/^# /, ""), text };
}

export const readGuide = (): Promise<GuideText[]> => Promise.all(GUIDE_PAGES.map(readGuidePage));

/** The contents of the guide with the titles of its pages, by reader. */
export type GuideContents = { reader: string; pages: { name: GuidePage; title: string }[] }[];

export async function readContents(): Promise<GuideContents> {
  const titles = new Map((await readGuide()).map(({ name, title }) => [name, title]));
  return CONTENTS.map(({ reader, pages }) => ({
    reader,
    pages: pages.map((name) => ({ name, title: titles.get(name) ?? name })),
  }));
}

/** Returns a picture of the guide; null if there is none of that name. */
export async function readPicture(name: string): Promise<Buffer | null> {
  const isThere = (await readdir(PICTURES)).includes(name);
  return isThere ? readFile(path.join(PICTURES, name)) : null;
}

/** Returns the guide's page for a screen, by the route of its path (`/forms/{id}`). */
export function guidePageOf(route: string): GuidePage {
  // The new and edit pages of a settings list have the list's page.
  const [list] = /^\/settings\/\w+(?=\/(?:new|\{id\}\/edit)$)/.exec(route) ?? [];
  const key = recordKeys.find((key) => key === route.split("/")[1]);
  const path = key ? route.replace(key, "{records}") : (list ?? route);
  const ofRecords = key && GUIDE_OF_RECORDS[key];
  return ofRecords ?? GUIDE_OF[keysOf(PAGES).find((name) => PAGES[name].path === path) ?? "home"];
}

/** A page of the guide that contains the words, with the part that does and the address of that part. */
export type GuideHit = { title: string; href: string; excerpt: string };

/** Returns a part's words without the marks of Markdown. */
const plain = (text: string): string =>
  text
    .replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/^#+ |^\s*(?:[-*]|\d+\.) |\*\*|\||`/gm, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

/**
 * Returns the pages that contain all of the words, those with the words in their titles first. A search is no longer than in
 * lists.
 */
export async function searchGuide(search: string): Promise<GuideHit[]> {
  const words = [...new Set(search.slice(0, TEXT_MAX).toLowerCase().split(/\s+/).filter(Boolean))];
  if (words.length === 0) return [];
  const count = (text: string) => {
    const lower = text.toLowerCase();
    return words.filter((word) => lower.includes(word)).length;
  };
  const hits = (await readGuide()).flatMap(({ name, title, text }) => {
    if (count(`${title} ${text}`) < words.length) return [];
    // The part under one heading that contains most of the words.
    const parts = text.split(/^(?=#{2,3} )/m);
    const best = parts.reduce((best, part) => (count(part) > count(best) ? part : best), parts[0] ?? "");
    const heading = /^#{2,3} (.+)/.exec(best)?.[1];
    const anchor = heading ? `#${anchorOf(heading)}` : "";
    const href = to("helpPage", { page: name }) + anchor;
    return [{ rank: count(title), title, href, excerpt: excerptOf(plain(best), words) }];
  });
  return hits.sort((a, b) => b.rank - a.rank).map(({ rank: _, ...hit }) => hit);
}

const EXCERPT_LENGTH = 180;

/** Returns the text around the first of the words. */
function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const start = Math.max(0, Math.min(...places, text.length) - 60);
  const from = start === 0 ? 0 : text.indexOf(" ", start) + 1;
  const end =
    text.length <= from + EXCERPT_LENGTH ? text.length : text.lastIndexOf(" ", from + EXCERPT_LENGTH);
  return `${from > 0 ? "… " : ""}${text.slice(from, end)}${end < text.length ? " …" : ""}`;
}
