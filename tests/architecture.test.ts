import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parseAst } from "vitest/node";

// The import rules of docs/develop/architecture.md, checked against the imports of every source file.

const ROOT = path.resolve(import.meta.dirname, "..");
const FILES = ["app", "components", "lib", "emails", "prisma"]
  .flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" }).map(
      (name) => `${folder}/${name}`,
    ),
  )
  .filter((file) => /(?<!\.test)\.tsx?$/.test(file) && !file.startsWith("lib/generated/"))
  .sort();

type Import = { from: string; typeOnly: boolean; lazy: boolean };
type Source = { file: string; text: string; imports: Import[] };

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[\w*{}\s,$]+?\s+from\s+)?["']([^"']+)["']|import\(\s*["']([^"']+)["']\s*\)/g;

/** Returns the file (`lib/core/database/client.ts`) or package that an import resolves to. */
function resolve(from: string, file: string): string {
  if (!from.startsWith("@/") && !from.startsWith(".")) return from;
  const target = from.startsWith("@/") ? from.slice(2) : path.join(path.dirname(file), from);
  const found = [target, `${target}.ts`, `${target}.tsx`, `${target}/index.ts`].find((name) =>
    sources.has(name),
  );
  return found ?? target;
}

const sources = new Map<string, Source>(
  FILES.map((file) => [file, { file, text: readFileSync(path.join(ROOT, file), "utf8"), imports: [] }]),
);
for (const source of sources.values()) {
  for (const [, type, from, lazy] of source.text.matchAll(IMPORT)) {
    source.imports.push({
      from: resolve(from ?? lazy ?? "", source.file),
      typeOnly: type !== undefined,
      lazy: lazy !== undefined,
    });
  }
}

const sourcesIn = (folder: string) => [...sources.values()].filter(({ file }) => file.startsWith(folder));
/** Returns `file → import` for each import that `forbidden` matches. */
const violations = (of: Source[], forbidden: (from: string, source: Source) => boolean) =>
  of.flatMap((source) =>
    source.imports
      .filter(({ typeOnly, from }) => !typeOnly && forbidden(from, source))
      .map(({ from }) => `${source.file} → ${from}`),
  );

/** Returns every file and package that loads together with `file`. */
function loadedWith(file: string, loaded = new Set<string>()): Set<string> {
  for (const { from, typeOnly, lazy } of sources.get(file)?.imports ?? []) {
    if (typeOnly || lazy || loaded.has(from)) continue;
    loaded.add(from);
    loadedWith(from, loaded);
  }
  return loaded;
}

const isServerOnly = (file: string) => sources.get(file)?.text.includes('import "server-only"') ?? false;
const isDatabase = (from: string) =>
  from === "lib/core/database/client.ts" ||
  from.startsWith("lib/generated/") ||
  from === "pg" ||
  from.startsWith("@prisma/");
const isServerPackage = (from: string) =>
  isDatabase(from) || /^(node:|next-auth|next\/headers|nodemailer|bcryptjs|prisma)/.test(from);

describe("app/", () => {
  test("is imported only from within app/", () => {
    const others = ["components/", "lib/", "emails/", "prisma/"].flatMap(sourcesIn);
    expect(violations(others, (from) => from.startsWith("app/"))).toEqual([]);
  });

  test("never accesses the database directly", () => {
    expect(violations(sourcesIn("app/"), isDatabase)).toEqual([]);
  });

  test("renders pages only through page(), which checks their permission", () => {
    const pages = sourcesIn("app/").filter(({ file }) => file.endsWith("/page.tsx"));
    expect(pages.length).toBeGreaterThan(10);
    for (const { file, text } of pages) {
      expect(text.match(/^export .*/gm), file).toEqual(["export default page({"]);
    }
  });

  test("serves the API only through route()", () => {
    const routes = sourcesIn("app/api/");
    expect(routes.length).toBeGreaterThan(5);
    for (const { file, text } of routes) {
      expect(path.basename(file), file).toBe("route.ts");
      const others = text
        .replaceAll(/^export const [A-Z]+ = route\(/gm, "")
        .replaceAll(/^export \{(\s*answerNext as [A-Z]+,?)+\s*\} from "@\/lib\/route";$/gm, "");
      expect(others, file).not.toMatch(/^export /m);
    }
  });
});

describe("components/", () => {
  test("imports only browser-safe modules from lib", () => {
    const browser = sourcesIn("components/").filter(({ text }) => !text.startsWith('import "server-only"'));
    expect(violations(browser, (from) => isServerOnly(from) || isServerPackage(from))).toEqual([]);
    // The modules they import must not import server modules either.
    const reached = new Set<string>();
    const queue = browser.map(({ file }) => file);
    for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
      if (reached.has(file)) continue;
      reached.add(file);
      const inner = sources.get(file)?.imports.filter(({ typeOnly }) => !typeOnly) ?? [];
      queue.push(...inner.map(({ from }) => from).filter((from) => sources.has(from)));
    }
    const isomorphic = [...reached].flatMap((file) => sources.get(file) ?? []);
    expect(violations(isomorphic, (from) => isServerOnly(from) || isServerPackage(from))).toEqual([]);
    // Browsers load zod/mini, which is much smaller, and no schemas that only the API needs.
    expect(violations(isomorphic, (from) => from === "zod" || from.endsWith("/api-schema.ts"))).toEqual([]);
  });

  test("contains no domain concepts in ui/", () => {
    const allowed = /^lib\/core\/((fields|text)\/[\w-]+|objects|pages|api\/(client|list-query|query))\.ts$/;
    const ours = (from: string) => /^(lib|components|app|emails|prisma)\//.test(from);
    expect(
      violations(
        sourcesIn("components/ui/"),
        (from) => ours(from) && !from.startsWith("components/ui/") && !allowed.test(from),
      ),
    ).toEqual([]);
    const words =
      /survivor|advoca|offender|canine|reconcil|ethnicit|form ?type|service ?code|\bclients?\b(?!")/i;
    for (const { file, text } of sourcesIn("components/ui/")) {
      const said = text.replaceAll('"use client"', "").replaceAll("api/client", "");
      expect(words.exec(said)?.[0], file).toBeUndefined();
    }
  });
});

describe("pages that open many times a day", () => {
  test("do not load schemas with the shell, the lists or the session guard", () => {
    for (const file of [
      "components/shell/staff-shell.tsx",
      "components/identity/session-guard.tsx",
      "components/identity/proof-dialog.tsx",
      "components/forms/forms-list.tsx",
      "components/forms/thread/thread.tsx",
      "components/clients/clients-list.tsx",
    ]) {
      const loaded = loadedWith(file);
      expect(loaded.size, file).toBeGreaterThan(3);
      expect(
        [...loaded].filter((from) => from.startsWith("zod")),
        file,
      ).toEqual([]);
    }
  });
});

describe("the form screens", () => {
  const screens = ["app/(staff)/forms/new/page.tsx", "app/(staff)/forms/[id]/edit/page.tsx"];

  test("load what few saves or drafts need only when it is used", () => {
    for (const file of screens) {
      const loaded = loadedWith(file);
      expect(loaded, file).toContain("components/forms/form-screen.tsx");
      for (const late of [
        "forms/draft-values.ts",
        "clients/similar-clients.tsx",
        "record/definition-changes.ts",
      ])
        expect(loaded, file).not.toContain(`components/${late}`);
    }
  });

  test("load the choice of a client only with a new form", () => {
    const [added, edited] = screens.map((file) => loadedWith(file).has("components/forms/client-picker.tsx"));
    expect([added, edited]).toEqual([true, false]);
  });
});

describe("lib/", () => {
  test("never imports app or components", () => {
    const inner = [...sourcesIn("lib/"), ...sourcesIn("emails/")];
    expect(violations(inner, (from) => /^(app|components)\//.test(from))).toEqual([]);
  });

  test("starts child processes only in lib/ops and lib/dev", () => {
    const production = ["app/", "components/", "emails/", "lib/"]
      .flatMap(sourcesIn)
      .filter(({ file }) => !/^lib\/(ops|dev)\//.test(file));
    expect(violations(production, (from) => /^(node:)?child_process$/.test(from))).toEqual([]);
  });

  test("marks each server module with server-only", () => {
    const exempt = /^lib\/(ops|dev)\//;
    const server = sourcesIn("lib/").filter(
      ({ file, imports }) =>
        !exempt.test(file) &&
        imports.some(({ typeOnly, from }) => !typeOnly && (isServerPackage(from) || isServerOnly(from))),
    );
    expect(
      server.filter(({ text }) => !text.startsWith('import "server-only"')).map(({ file }) => file),
    ).toEqual([]);
  });

  test("uses next-auth only in identity/session.ts", () => {
    const others = [...sources.values()].filter(({ file }) => file !== "lib/identity/session.ts");
    expect(violations(others, (from) => from.startsWith("next-auth"))).toEqual([]);
  });

  test("derives keys from AUTH_SECRET only in lib/core/process/cipher.ts", () => {
    const said = /\/\*[\s\S]*?\*\/|\/\/.*|"[^"\n]*"|`[^`]*`/g;
    const readers = [...sources.values()].filter(({ text }) => /AUTH_SECRET/.test(text.replace(said, "")));
    expect(readers.map(({ file }) => file)).toEqual([
      // These files generate the secret, validate it, pass it on or check whether it is being replaced.
      "lib/core/process/cipher.ts",
      "lib/core/process/env.ts",
      "lib/dev/generate.ts",
      "lib/dev/plain-next.ts",
      "lib/ops/renewal.ts",
      "lib/ops/restore.ts",
      "lib/ops/running.ts",
      "lib/ops/start.ts",
    ]);
    const derivers = [...sources.values()].filter(({ text }) => /hkdfSync/.test(text));
    expect(derivers.map(({ file }) => file)).toEqual(["lib/core/process/cipher.ts"]);
  });

  test("builds emails only from data", () => {
    expect(
      violations(
        [...sources.values()].filter(({ file }) => file === "emails/messages.ts"),
        isServerPackage,
      ),
    ).toEqual([]);
  });
});

test("at most 38 values in the codebase are cast to a type that the compiler cannot prove", () => {
  const casts = [...sources.values()].flatMap(({ file, text }) => {
    const casts: string[] = [];
    // Parsing is slow, and most files contain no cast.
    if (!/\bas (?!const\b)/.test(text)) return casts;
    JSON.stringify(parseAst(text, { lang: file.endsWith("x") ? "tsx" : "ts" }), (_, node) => {
      const type = node?.typeAnnotation;
      if (node?.type === "TSAsExpression" && text.slice(type.start, type.end) !== "const")
        casts.push(`${file}: ${text.slice(node.start, node.end)}`);
      return typeof node === "bigint" ? String(node) : node;
    });
    return casts;
  });
  expect(casts.length, casts.join("\n")).toBeLessThanOrEqual(38);
});

test("code names each part of zod/mini as z.part, because the browser gets only these (next.config.mjs)", () => {
  const others = sourcesIn("").filter(({ text }) => {
    if (!text.includes('"zod/mini"')) return false;
    const rest = text.replace(/^import (type )?\* as z from "zod\/mini";$/m, "");
    return rest.includes('"zod/mini"') || /(?<![-\w])z\b(?!\s*\.)/.test(rest);
  });
  expect(others.map(({ file }) => file)).toEqual([]);
});
