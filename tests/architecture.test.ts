import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parseAst } from "vitest/node";

// Who may import what, as drawn in the README's map of the house: read from the imports of every source file.

const ROOT = path.resolve(import.meta.dirname, "..");
const FILES = ["app", "components", "lib", "emails", "prisma"]
  .flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" }).map(
      (name) => `${folder}/${name}`,
    ),
  )
  .filter((file) => /(?<!\.test)\.tsx?$/.test(file) && !file.startsWith("lib/generated/"))
  .sort();

type Import = { from: string; typeOnly: boolean };
type Source = { file: string; text: string; imports: Import[] };

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[\w*{}\s,$]+?\s+from\s+)?["']([^"']+)["']|import\(\s*["']([^"']+)["']\s*\)/g;

/** Of an import: the file it names (`lib/database/client.ts`), or the package. */
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
    source.imports.push({ from: resolve(from ?? lazy ?? "", source.file), typeOnly: type !== undefined });
  }
}

const within = (folder: string) => [...sources.values()].filter(({ file }) => file.startsWith(folder));
/** `file → import` of each import that `forbidden` names. */
const violations = (of: Source[], forbidden: (from: string, source: Source) => boolean) =>
  of.flatMap((source) =>
    source.imports
      .filter(({ typeOnly, from }) => !typeOnly && forbidden(from, source))
      .map(({ from }) => `${source.file} → ${from}`),
  );

const isServerOnly = (file: string) => sources.get(file)?.text.includes('import "server-only"') ?? false;
const isDatabase = (from: string) =>
  from === "lib/database/client.ts" ||
  from.startsWith("lib/generated/") ||
  from === "pg" ||
  from.startsWith("@prisma/");
const isServerPackage = (from: string) =>
  isDatabase(from) || /^(node:|next-auth|next\/headers|nodemailer|bcryptjs|prisma)/.test(from);

/** The pairs of rooms (`lib/forms`) of the folder that import each other, apart from what `except` imports. */
function circles(folder: string, except: string[] = []): string[] {
  const room = (file: string) => file.split("/").slice(0, 2).join("/");
  const arrows = new Set(
    within(folder)
      .filter(({ file }) => !except.includes(file))
      .flatMap(({ file, imports }) =>
        imports.filter(({ typeOnly }) => !typeOnly).map(({ from }) => `${room(file)} ${room(from)}`),
      ),
  );
  return [...arrows]
    .filter((arrow) => {
      const [from = "", to = ""] = arrow.split(" ");
      return from < to && arrows.has(`${to} ${from}`);
    })
    .sort();
}

describe("app/", () => {
  test("is imported only from within", () => {
    const others = ["components/", "lib/", "emails/", "prisma/"].flatMap(within);
    expect(violations(others, (from) => from.startsWith("app/"))).toEqual([]);
  });

  test("never reaches the database itself", () => {
    expect(violations(within("app/"), isDatabase)).toEqual([]);
  });

  test("holds thin pages: at most 40 lines", () => {
    const pages = within("app/").filter(({ file }) => file.endsWith("/page.tsx"));
    expect(
      pages.filter(({ text }) => text.trimEnd().split("\n").length > 40).map(({ file }) => file),
    ).toEqual([]);
  });

  test("shows pages only through page(), which asks for their permission", () => {
    const pages = within("app/").filter(({ file }) => file.endsWith("/page.tsx"));
    expect(pages.length).toBeGreaterThan(10);
    for (const { file, text } of pages) {
      expect(text.match(/^export .*/gm), file).toEqual(["export default page({"]);
    }
  });

  test("answers the API only through route()", () => {
    const routes = within("app/api/");
    expect(routes.length).toBeGreaterThan(5);
    for (const { file, text } of routes) {
      expect(path.basename(file), file).toBe("route.ts");
      const exported = [...text.matchAll(/^export .*/gm)].map(([line]) => line);
      expect(exported, file).toEqual(['export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";']);
    }
  });
});

describe("components/", () => {
  test("import from lib only what runs in a browser too", () => {
    const browser = within("components/").filter(({ text }) => !text.startsWith('import "server-only"'));
    expect(violations(browser, (from) => isServerOnly(from) || isServerPackage(from))).toEqual([]);
    // What they import imports nothing of the server either.
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
  });

  test("has no two rooms that import each other", () => {
    expect(circles("components/")).toEqual([]);
  });

  test("ui/ knows no domain", () => {
    const allowed = /^lib\/(fields\/[\w-]+|api\/(client|list-query))\.ts$/;
    const ours = (from: string) => /^(lib|components|app|emails|prisma)\//.test(from);
    expect(
      violations(
        within("components/ui/"),
        (from) => ours(from) && !from.startsWith("components/ui/") && !allowed.test(from),
      ),
    ).toEqual([]);
    const words =
      /survivor|advoca|offender|canine|reconcil|ethnicit|form ?type|service ?code|\bclients?\b(?!")/i;
    for (const { file, text } of within("components/ui/")) {
      const said = text.replaceAll('"use client"', "").replaceAll("api/client", "");
      expect(words.exec(said)?.[0], file).toBeUndefined();
    }
  });
});

describe("lib/", () => {
  test("never imports app or components", () => {
    const inner = [...within("lib/"), ...within("emails/")];
    expect(violations(inner, (from) => /^(app|components)\//.test(from))).toEqual([]);
  });

  test("imports from lib/operate and lib/develop, and what starts other programs, only in those two rooms", () => {
    const production = ["app/", "components/", "emails/", "lib/"]
      .flatMap(within)
      .filter(({ file }) => !/^lib\/(operate|develop)\//.test(file));
    expect(
      violations(production, (from) => /^(lib\/(operate|develop)\/|(node:)?child_process$)/.test(from)),
    ).toEqual([]);
  });

  test("has no two rooms that import each other, but for the few that are listed here with the reason", () => {
    // `lib/api/` answers requests, `lib/auth/` says who asks, `lib/audit/` records it: each call needs all of them.
    const known = {
      "lib/accounts lib/auth":
        "signing in checks a password and a code, and a changed account ends its sessions",
      "lib/accounts lib/server":
        "the environment names the first administrator's password, held to the rules",
      "lib/api lib/audit": "route() records; the record's failures are answered with the API's errors",
      "lib/api lib/auth": "route() asks who calls; signing in is a call too",
      "lib/api lib/database": "keys of creations are stored; the database's failures are the API's errors",
      "lib/api lib/lookups": "the paths of all pages include those of each settings list",
      "lib/api lib/server":
        "handlers know the environment and the log; the server knows the paths before Next does",
      "lib/audit lib/auth": "signing in is recorded; a record names the actor",
      "lib/audit lib/database": "records are rows; exported lists are recorded",
      "lib/auth lib/database": "sessions are rows; references are checked under the scope filter",
      "lib/auth lib/server": "sessions obey the environment; the server guards pages before Next does",
      "lib/database lib/server": "connections obey the environment; the health check asks the database",
    };
    // These two list what every room brings: its calls and its background work.
    expect(circles("lib/", ["lib/api/endpoints.ts", "lib/server/worker.ts"])).toEqual(Object.keys(known));
  });

  test("reaches the database only in data.ts, auth/ and the few modules that serve them", () => {
    const data =
      /^lib\/([\w-]+\/)*(data|search)\.ts$|^lib\/(audit|auth|database|operate|server)\/[\w-]+\.ts$|^lib\/develop\/|^prisma\//;
    const serving = /^lib\/api\/(errors|idempotency|route)\.ts$/;
    expect(
      violations(
        [...sources.values()],
        (from, { file }) => isDatabase(from) && !data.test(file) && !serving.test(file),
      ),
    ).toEqual([]);
  });

  test("marks each server module with server-only", () => {
    const exempt = /^lib\/(operate|develop)\//;
    const server = within("lib/").filter(
      ({ file, imports }) =>
        !exempt.test(file) &&
        imports.some(({ typeOnly, from }) => !typeOnly && (isServerPackage(from) || isServerOnly(from))),
    );
    expect(
      server.filter(({ text }) => !text.startsWith('import "server-only"')).map(({ file }) => file),
    ).toEqual([]);
  });

  test("uses next-auth only in auth/session.ts", () => {
    const others = [...sources.values()].filter(({ file }) => file !== "lib/auth/session.ts");
    expect(violations(others, (from) => from.startsWith("next-auth"))).toEqual([]);
  });

  test("has data.ts files that take their actor and never read the request", () => {
    const data = within("lib/").filter(({ file }) => file.endsWith("/data.ts"));
    expect(
      violations(data, (from) => /^next\/(headers|navigation)|^lib\/api\/route\.ts$/.test(from)),
    ).toEqual([]);
    const reads = /\b(currentUser|requireUser)\b/;
    expect(data.filter(({ text }) => reads.test(text)).map(({ file }) => file)).toEqual([]);
  });

  test("has no function that reads clients, forms or lists without an actor, but for a few that are listed here with the reason", () => {
    const always = /^lib\/(clients|forms|lookups|drafts)\/([\w-]+\/)*(data|search|overview)\.ts$/;
    const sql =
      /\b(FROM|JOIN|UPDATE)\s+(forms|clients|drafts|form_types|client_\w+|\w+_entries|\$\{MERGED_INTO\})|\.(form|client|draft)\.[a-z]/;
    const declared =
      /^(export )?(?:async function|function|const(?= \w+ = (?:async )?(?:<[^>]*>)?\()) (\w+)[^(]*\(([^)]*)/;
    const method = /^ {2}(\w+)\(([^)]*)\): Promise/gm;
    const actor = /\b_?(actor: (SessionUser|Actor|Hiding|AuditActor)|allowed: Allowed)\b/;
    const withoutActor = within("lib/")
      .filter(({ file }) => !/^lib\/(develop|operate)\//.test(file))
      .flatMap(({ file, text, imports }) =>
        text
          .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "")
          .split(/\n(?=export |(?:async )?function |const |type )/)
          .flatMap((body) => {
            const [, exported, name, parameters] = declared.exec(body) ?? [];
            const here = { file, imports: imports.map(({ from }) => from), body };
            const methods =
              always.test(file) && body.startsWith("type Store ") ? [...body.matchAll(method)] : [];
            return [
              ...(name ? [{ ...here, name, parameters, exported: exported !== undefined }] : []),
              ...methods.map(([, name = "", parameters]) => ({ ...here, name, parameters, exported: true })),
            ];
          }),
      )
      .filter(({ parameters = "" }) => !actor.test(parameters));
    const reading = new Set(
      withoutActor.filter(({ file, exported, body }) => (exported && always.test(file)) || sql.test(body)),
    );
    // What calls one of these without an actor reads as well. The set grows while it is gone through.
    for (const { file, name, exported } of reading) {
      const calls = new RegExp(`\\b${name}(\\(|<)`);
      for (const other of withoutActor) {
        const knows = other.file === file || (exported && other.imports.includes(file));
        if (knows && calls.test(other.body)) reading.add(other);
      }
    }
    const found = [...reading].filter(({ exported }) => exported).map(({ file, name }) => `${file} ${name}`);
    expect(found.sort()).toEqual(
      [
        // The keys that encrypt clients' values in the audit trail.
        "lib/audit/values.ts clientKeySql",
        "lib/audit/values.ts readClientKey",
        "lib/audit/values.ts renewClientKeys",
        "lib/merges/keys.ts takeKeys",
        "lib/merges/keys.ts shareKeys",
        // The ids of merged clients alone, and nothing of their records.
        "lib/clients/merged.ts currentIds",
        "lib/clients/merged.ts formerIds",
        // The SQL of a condition or of a part of a statement, which reads nothing by itself.
        "lib/database/names.ts nameSearch",
        "lib/history/data.ts eventsSql",
        "lib/reports/blocks.ts hitsOf",
        "lib/retention/data.ts dueFor",
        // Everybody's drafts, of which nothing is shown.
        "lib/drafts/data.ts renewDrafts",
        "lib/drafts/data.ts removeOldDrafts",
        "lib/drafts/data.ts readDraftsByClient",
        "lib/drafts/data.ts removeDraftsAbout",
        // Forms that the caller has locked for its actor.
        "lib/history/reviews/data.ts lastReviews",
        "lib/review/undo.ts restore",
        // Whether an import's row is in the list already; the import asks for the list's permission.
        "lib/lookups/data.ts holds",
        // Run by the worker, for no user.
        "lib/merges/data.ts removeOldMerges",
        "lib/purge/data.ts purgeByNight",
        "lib/server/worker.ts startWorker",
        "lib/server/worker.ts sweep",
        // A funder's report counts everybody's forms: its numbers are the same for every caller.
        "lib/reports/data.ts readHits",
        "lib/reports/data.ts readReport",
        "lib/reports/data.ts getReport",
        "lib/reports/data.ts reportWithGaps",
        "lib/reports/overview.ts readMonths",
        "lib/reports/overview.ts readReasons",
        // A form type, which everybody who is signed in may read.
        "lib/reports/records.ts survivorFormType",
        // From whom a client is hidden, and which clients are hidden from a user.
        "lib/restrictions/data.ts restrictedUsers",
        "lib/restrictions/data.ts clientsHiddenFrom",
      ].sort(),
    );
  });

  test("derives keys from AUTH_SECRET in lib/server/cipher.ts alone", () => {
    const said = /\/\*[\s\S]*?\*\/|\/\/.*|"[^"\n]*"|`[^`]*`/g;
    const readers = [...sources.values()].filter(({ text }) => /AUTH_SECRET/.test(text.replace(said, "")));
    expect(readers.map(({ file }) => file)).toEqual([
      // They make it, check it, hand it on or ask whether it is being replaced.
      "lib/develop/bench/audit.ts",
      "lib/develop/drill.ts",
      "lib/develop/generate.ts",
      "lib/operate/renewal.ts",
      "lib/operate/running.ts",
      "lib/operate/start.ts",
      "lib/server/cipher.ts",
      "lib/server/env.ts",
    ]);
    const derivers = [...sources.values()].filter(({ text }) => /hkdfSync/.test(text));
    expect(derivers.map(({ file }) => file)).toEqual(["lib/server/cipher.ts"]);
  });

  test("makes emails of data alone", () => {
    expect(
      violations(
        [...sources.values()].filter(({ file }) => file === "emails/messages.ts"),
        isServerPackage,
      ),
    ).toEqual([]);
  });
});

test("No more than 38 values of the whole program are cast to a type that the compiler cannot prove", () => {
  const casts = [...sources.values()].flatMap(({ file, text }) => {
    const found: string[] = [];
    // Parsing takes long, and most files have none.
    if (!/\bas (?!const\b)/.test(text)) return found;
    JSON.stringify(parseAst(text, { lang: file.endsWith("x") ? "tsx" : "ts" }), (_, node) => {
      const type = node?.typeAnnotation;
      if (node?.type === "TSAsExpression" && text.slice(type.start, type.end) !== "const")
        found.push(`${file}: ${text.slice(node.start, node.end)}`);
      return typeof node === "bigint" ? String(node) : node;
    });
    return found;
  });
  expect(casts.length, casts.join("\n")).toBeLessThanOrEqual(38);
});
