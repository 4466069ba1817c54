import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parseAst } from "vitest/node";
import { PICTURES } from "@/e2e/guide/pictures";
import { PAGES } from "@/lib/core/pages";
import { GUIDE_OF, GUIDE_PAGES } from "@/lib/guide/contents";
import { guidePageOf, readGuide, readPicture, searchGuide } from "@/lib/guide/guide";
import { ROUTES } from "@/lib/paths";

const FOLDER = path.join("docs", "guide");
const PICTURE_FOLDER = path.join(FOLDER, "pictures");
const MOST_BYTES = 3 * 1024 * 1024;
/** Enough letters of a pattern to recognize a label by. */
const LEAST_LETTERS = 4;

const documents = GUIDE_PAGES.map((name) => ({
  name,
  text: readFileSync(path.join(FOLDER, `${name}.md`), "utf8"),
}));
const named = (pattern: RegExp) =>
  documents.flatMap(({ name, text }) =>
    [...text.matchAll(pattern)].map(([, found = ""]) => ({ name, found })),
  );

const joined = (text: string) => text.replaceAll("&apos;", "'").replaceAll(/\s+/g, " ").trim();

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Everything that the program can show: the strings of its sources, and patterns for those with values in them. */
function wordsOfProduct(): { words: Set<string>; patterns: RegExp[] } {
  const words = new Set<string>();
  const patterns: RegExp[] = [];
  const files = ["app", "components", "lib", "prisma"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => path.join(folder, file)),
  );
  for (const file of files) {
    if (!/\.tsx?$/.test(file) || /^lib\/(generated|dev|description)\//.test(file)) continue;
    const text = readFileSync(file, "utf8");
    JSON.stringify(parseAst(text, { lang: file.endsWith("x") ? "tsx" : "ts" }), (_, node) => {
      if (node?.type === "JSXText") words.add(joined(node.value));
      if (node?.type === "Literal" && typeof node.value === "string") words.add(joined(node.value));
      if (node?.type === "TemplateLiteral") {
        const parts: string[] = node.quasis.map((quasi: { value: { cooked: string } }) => quasi.value.cooked);
        for (const part of parts) words.add(joined(part));
        if (parts.join("").replaceAll(/[^a-z]/gi, "").length >= LEAST_LETTERS)
          patterns.push(new RegExp(`^${parts.map((part) => escaped(joined(part))).join(" ?.+ ?")}$`));
      }
      return typeof node === "bigint" ? String(node) : node;
    });
  }
  return { words, patterns };
}

describe("the guide", () => {
  test("has exactly the documents in its contents", () => {
    const files = readdirSync(FOLDER).filter((file) => file.endsWith(".md"));
    expect(files.sort()).toEqual(GUIDE_PAGES.map((name) => `${name}.md`).sort());
  });

  test("has a page for each page of the product", () => {
    for (const route of ROUTES.filter((route) => !route.startsWith("/api/") || route === PAGES.apiDocs.path))
      expect(GUIDE_PAGES, route).toContain(guidePageOf(route));
    expect(guidePageOf("/forms/{id}/edit")).toBe(GUIDE_OF.formsEdit);
    expect(guidePageOf("/activities/{id}/edit")).toBe(GUIDE_OF.recordsEdit);
    expect(guidePageOf("/settings/users/{id}/edit")).toBe(GUIDE_OF.usersList);
    expect(guidePageOf("/settings/ethnicities/new")).toBe(GUIDE_OF.listNew);
  });

  test("begins each page with its title and an introduction, and has no heading without text", () => {
    for (const { name, text } of documents) {
      expect(text, name).toMatch(/^# [A-Z][A-Za-z ,]+\n\n[^\n#]/);
      expect(text, name).not.toMatch(/^(#+) .*\n+\1 /m);
    }
  });

  test("names in bold only words that the program can show", () => {
    const { words, patterns } = wordsOfProduct();
    const unknown = named(/\*\*([^*]+)\*\*/g).filter(({ found }) => {
      const label = joined(found);
      return !words.has(label) && !patterns.some((pattern) => pattern.test(label));
    });
    expect(unknown).toEqual([]);
  });

  test("shows only pictures that npm run guide makes, and all of them, for a desktop and a phone", async () => {
    const shown = new Set(
      named(/!\[[^\]]+\]\(pictures\/([a-z-]+?)(?:-phone)?\.webp\)/g).map(({ found }) => found),
    );
    expect([...shown].sort()).toEqual(Object.keys(PICTURES).sort());
    const files = Object.keys(PICTURES).flatMap((name) => [`${name}-phone.webp`, `${name}.webp`]);
    expect(readdirSync(PICTURE_FOLDER).sort()).toEqual(files.sort());
    for (const file of files) {
      const bytes = await readPicture(file);
      expect(bytes?.toString("latin1", 8, 12), file).toBe("WEBP");
    }
    expect(await readPicture("../first-day.md")).toBe(null);
  });

  test("has pictures of at most 3 MB together", () => {
    const sizes = readdirSync(PICTURE_FOLDER).map((file) => statSync(path.join(PICTURE_FOLDER, file)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MOST_BYTES);
  });

  test("describes each picture in words", () => {
    for (const { name, found } of named(/!\[([^\]]*)\]/g))
      expect(found.length, name).toBeGreaterThan(LEAST_LETTERS);
  });

  test("is linked from the product only at pages and headings that exist", async () => {
    const pages = new Map((await readGuide()).map(({ name, text }) => [String(name), text]));
    const source = readFileSync("components/ui/field.tsx", "utf8");
    const [, page = "", anchor = ""] =
      /to\("helpPage", \{ page: "([a-z-]+)" \}\)\}#([a-z-]+)/.exec(source) ?? [];
    expect(pages.get(page)?.toLowerCase().replaceAll(" ", "-")).toContain(`##-${anchor}`);
  });

  test("serves links between its pages and to its pictures at the addresses of the product", async () => {
    for (const { name, text } of await readGuide()) {
      const targets = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
      for (const target of targets) {
        expect(target, name).toMatch(/^\/(help|api\/guide\/pictures)\/[a-z-]+(\.webp|#[a-z-]+)?$/);
        const [, page] = /^\/help\/([a-z-]+)/.exec(target) ?? [];
        if (page) expect(existsSync(path.join(FOLDER, `${page}.md`)), target).toBe(true);
      }
    }
  });
});

describe("the search of the guide", () => {
  test("finds a word in the text, and leads to the heading above it", async () => {
    const [first] = await searchGuide("PCCD commission");
    expect(first).toMatchObject({ title: "Glossary", href: "/help/glossary#pccd" });
    expect(first?.excerpt).toContain("Pennsylvania Commission on Crime");
  });

  test("lists pages with the words in their titles first, and needs all words", async () => {
    expect((await searchGuide("drafts"))[0]?.href).toMatch(/^\/help\/drafts/);
    expect(await searchGuide("drafts rhinoceros")).toEqual([]);
    expect(await searchGuide("  ")).toEqual([]);
    // A search has at most 255 characters, as in all lists.
    expect(await searchGuide(`drafts ${" ".repeat(255)} rhinoceros`)).toEqual(await searchGuide("drafts"));
  });

  test("shows excerpts without the marks of Markdown", async () => {
    for (const { excerpt } of await searchGuide("choose")) expect(excerpt).not.toMatch(/\*\*|\]\(|^#/);
  });
});
