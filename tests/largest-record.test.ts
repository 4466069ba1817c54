/// <reference types="vite/client" />
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { PassThrough } from "node:stream";
import { gunzipSync } from "node:zlib";
import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import {
  PathnameContext,
  PathParamsContext,
  SearchParamsContext,
} from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import pg from "pg";
import { createElement, type ReactNode } from "react";
import { renderToPipeableStream } from "react-dom/server";
import { beforeAll, expect, test, vi } from "vitest";
import { NotificationsProvider } from "@/components/ui/notifications";
import { sealAudit } from "@/lib/audit/seals";
import { verifyAudit } from "@/lib/audit/verify";
import { PERMISSION_NAMES, type Permission, permissionKey } from "@/lib/core/access/permissions";
import { env } from "@/lib/core/process/env";
import { addCustomFields, WORD, type Writer, writeLargest } from "@/lib/dev/data/largest";
import { addressesOf, type EveryRead } from "@/lib/dev/every-read";
import { queryAt } from "@/lib/dev/query";
import { endpoints } from "@/lib/endpoints";
import { makeAdministrator } from "@/lib/identity/administrators";
import { readArchive, writeArchive } from "@/lib/ops/archive";
import { renewKeys } from "@/lib/ops/renewal";
import { call, signIn } from "@/tests/call";
import { makeUser, type Person } from "@/tests/factories";
import { tempDataDir } from "@/tests/setup/data-dir";

// The largest record that the limits allow, through every GET endpoint and page. Both are listed from what is declared, so
// new ones are covered too. No output may be much larger than the record.

let pageCookie = "";
vi.mock("next/headers", () => ({
  cookies: async () => ({ get: () => ({ value: pageCookie.slice(pageCookie.indexOf("=") + 1) }) }),
  headers: async () => new Headers({ "x-request-path": "/" }),
}));

const ALL = PERMISSION_NAMES.map((name) => permissionKey(name) as Permission);
/** The bytes of the SHA-256 that follows an unencrypted backup. */
const DIGEST_BYTES = 32;
/** The most bytes of an output, as a multiple of the record's. */
const TIMES = 10;

let person: Person;
let reads: EveryRead;
let recordBytes: number;

beforeAll(async () => {
  person = await makeUser(ALL);
  const writer: Writer = {
    async send(method, path, body) {
      const response = await call(person.cookie, method, path, body);
      expect(
        response.status,
        `${method} ${path} ${JSON.stringify(response.body)?.slice(0, 1000)}`,
      ).toBeLessThan(300);
      return response.body;
    },
    query: (text, values) => queryAt(process.env.DATABASE_URL ?? "", text, values),
  };
  await addCustomFields(writer);
  reads = await writeLargest(writer);
  recordBytes = 0;
  for (const url of [`/api/forms/${reads.formIds[0]}`, `/api/clients/${reads.clientIds[0]}`])
    recordBytes += (await call(person.cookie, "GET", url)).bytes.length;
});

const bound = () => TIMES * recordBytes;

test("a GET endpoint answers with at most ten times the largest record", async () => {
  for (const endpoint of endpoints.filter(({ method }) => method === "GET"))
    for (const url of addressesOf(endpoint, reads, WORD)) {
      const { status, bytes } = await call(person.cookie, "GET", url);
      expect(status, url).toBeLessThan(500);
      expect(bytes.length, url).toBeLessThan(bound());
    }
});

type Page = (props: { params: Promise<object>; searchParams: Promise<object> }) => Promise<ReactNode>;
const PAGE_FILES = import.meta.glob<{ default: Page }>("../app/**/page.tsx");

const router = { push() {}, replace() {}, refresh() {}, prefetch() {}, back() {}, forward() {} };

/** Returns the number of bytes of a page's HTML. */
async function htmlBytes(page: ReactNode): Promise<number> {
  const contexts = [
    [AppRouterContext, router],
    [PathnameContext, "/"],
    [PathParamsContext, {}],
    [SearchParamsContext, new URLSearchParams()],
  ] as const;
  const html = contexts.reduce<ReactNode>(
    // biome-ignore lint/suspicious/noExplicitAny: the contexts have different values
    (inner, [context, value]) => createElement(context.Provider as any, { value }, inner),
    createElement(NotificationsProvider, null, page),
  );
  const [sent, errors]: [PassThrough, unknown[]] = [new PassThrough(), []];
  let bytes = 0;
  sent.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
  });
  renderToPipeableStream(html, { onError: (error) => void errors.push(error) }).pipe(sent);
  await once(sent, "end");
  expect(errors).toEqual([]);
  return bytes;
}

/** Returns the values of the parameters in `/clients/{id}/edit`. */
const paramsOf = (path: string, pathname: string) =>
  Object.fromEntries(
    path.split("/").flatMap((segment, at) => {
      const [, name] = /^\{(\w+)\}$/.exec(segment) ?? [];
      return name ? [[name, pathname.split("/")[at]]] : [];
    }),
  );

test("a page has at most ten times the bytes of the largest record", async () => {
  for (const [file, load] of Object.entries(PAGE_FILES)) {
    const path =
      file.replace(/^\.\.\/app\/\(\w+\)|\/page\.tsx$/g, "").replaceAll(/\[(\w+)\]/g, "{$1}") || "/";
    // This page answers every other address with 404.
    if (path === "/[...rest]") continue;
    pageCookie = file.includes("(guest)") ? "" : person.cookie;
    const { default: Page } = await load();
    for (const address of addressesOf({ path }, reads, WORD)) {
      const { pathname, searchParams } = new URL(address, "http://localhost");
      const props = {
        params: Promise.resolve(paramsOf(path, pathname)),
        searchParams: Promise.resolve(Object.fromEntries(searchParams)),
      };
      const bytes = await Page(props).then(htmlBytes);
      expect(bytes, address).toBeLessThan(bound());
    }
  }
});

test("a page of the largest form leaves its text to the browser, so that the server does not write it twice", async () => {
  pageCookie = person.cookie;
  for (const [file, path] of [
    ["../app/(staff)/forms/[id]/page.tsx", "/forms/{id}"],
    ["../app/(staff)/forms/[id]/edit/page.tsx", "/forms/{id}/edit"],
    ["../app/(staff)/forms/review/page.tsx", "/forms/review"],
    ["../app/(staff)/clients/[id]/print/page.tsx", "/clients/{id}/print"],
  ] as const) {
    const { default: Page } = (await PAGE_FILES[file]?.()) ?? {};
    if (!Page) throw new Error(`There is no ${file}`);
    const id = path.startsWith("/clients") ? reads.clientIds[0] : reads.formIds[0];
    const html = await Page({
      params: Promise.resolve({ id: String(id) }),
      searchParams: Promise.resolve(path === "/forms/review" ? { ids: String(id) } : {}),
    }).then(htmlBytes);
    expect(html, path).toBeLessThan(recordBytes / 4);
  }
});

test("a backup, its restore, and the check of the audit trail work with the largest record", async () => {
  const url = process.env.DATABASE_URL ?? "";
  const file = path.join(await tempDataDir(), "backup");
  const empty = new URL(url);
  empty.pathname += "_restored";
  await queryAt(url, `CREATE DATABASE ${empty.pathname.slice(1)}`, []);
  await writeArchive(url, file, null);
  const [{ bytes = 0 } = {}] = await queryAt<{ bytes: number }>(
    url,
    `SELECT (SELECT sum(length(ciphertext)) FROM drafts) + (SELECT sum(length(details)) FROM audit_events) AS bytes`,
    [],
  );
  const written = gunzipSync((await readFile(file)).subarray(0, -DIGEST_BYTES)).length;
  // Encrypted values are written as two digits a byte.
  expect(written).toBeLessThan(bound() + 3 * Number(bytes));
  await readArchive(empty.href, file, {});
  const texts = "SELECT md5(string_agg(f::text, '' ORDER BY id)) AS digest FROM forms f";
  expect(await queryAt(empty.href, texts, [])).toEqual(await queryAt(url, texts, []));
  const client = new pg.Client(url);
  await client.connect();
  await sealAudit();
  expect((await verifyAudit(client)).findings).toEqual([]);
  await client.end();
  expect(await makeAdministrator(person.email)).toMatch(/./);
});

test("the largest record can be read after its keys and drafts are encrypted with a new secret", async () => {
  const history = `/api/clients/${reads.clientIds[0]}/history?filters[views]=false`;
  const readAll = async () => {
    const bodies: unknown[] = [];
    for (const url of ["/api/drafts/full-0", "/api/drafts/full-49", history]) {
      const { status, body } = await call(person.cookie, "GET", url);
      expect(status, url).toBe(200);
      bodies.push(body);
    }
    return bodies;
  };
  const before = await readAll();
  Object.assign(env(), {
    AUTH_SECRET: randomBytes(32).toString("hex"),
    AUTH_SECRET_PREVIOUS: env().AUTH_SECRET,
  });
  expect(await renewKeys()).toMatch(/\b[1-9]\d* keys of clients, 50 drafts\b/);
  expect(await renewKeys()).toMatch(/\b0 keys of clients, 0 drafts\b/);
  Object.assign(env(), { AUTH_SECRET_PREVIOUS: undefined });
  person.cookie = await signIn(person);
  expect(await readAll()).toEqual(before);
});
