/// <reference types="vite/client" />
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import {
  PathnameContext,
  PathParamsContext,
  SearchParamsContext,
} from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import { createElement, type ReactNode } from "react";
import { renderToPipeableStream } from "react-dom/server";
import { beforeAll, expect, test, vi } from "vitest";
import { NotificationsProvider } from "@/components/ui/notifications";
import { PERMISSION_NAMES, type Permission, permissionKey } from "@/lib/core/access/permissions";
import { db, rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/database/sql";
import { LONG_TEXT_MAX } from "@/lib/core/fields/validation";
import { endpoints } from "@/lib/endpoints";
import { FIELDS_IN_USE_MAX } from "@/lib/forms/fields/schema";
import { call, type Method } from "@/tests/call";
import { addressesOf, type EveryRead, PERIOD } from "@/tests/every-read";
import { formTypeId, makeClient, makeUser, minimalForm, type Person } from "@/tests/factories";

// The largest record that the limits allow, through every GET endpoint and page. Both are listed from what is declared, so
// new ones are covered too. No output may be much larger than the record.

let pageCookie = "";
vi.mock("next/headers", () => ({
  cookies: async () => ({ get: () => ({ value: pageCookie.slice(pageCookie.indexOf("=") + 1) }) }),
  headers: async () => new Headers({ "x-request-path": "/" }),
}));

const ALL = PERMISSION_NAMES.map((name) => permissionKey(name) as Permission);
const WORD = "Zeisig";
const LONG = `${WORD} `
  .repeat(LONG_TEXT_MAX)
  .slice(0, LONG_TEXT_MAX - 1)
  .concat(".");
const ROWS = 500;
const COMMENTS = 500;
const COMMENT_LETTERS = 2_000;
const DRAFTS = 50;
/** The most bytes of an output, as a multiple of the record's. */
const TIMES = 10;
/** As many texts as one body can have. */
const IN_BODY = 80;

let person: Person;
let reads: EveryRead;
let recordBytes: number;

const succeed = async (method: Method, url: string, body?: unknown) => {
  const response = await call(person.cookie, method, url, body);
  expect(response.status, `${method} ${url} ${JSON.stringify(response.body)?.slice(0, 1000)}`).toBeLessThan(
    300,
  );
  return response.body;
};

const parts = <T>(items: readonly T[]): T[][] =>
  items.length === 0 ? [] : [items.slice(0, IN_BODY), ...parts(items.slice(IN_BODY))];

beforeAll(async () => {
  person = await makeUser(ALL);
  const keys: Record<"client" | "form", string[]> = { client: [], form: [] };
  for (let n = 0; n < FIELDS_IN_USE_MAX; n++) {
    const record = n % 2 ? "client" : "form";
    const field = { record, section: "", label: `Own ${n}`, kind: "longText" };
    keys[record].push((await succeed("POST", "/api/fields", { field })).field.key);
  }
  const custom = (some: readonly string[]) => Object.fromEntries(some.map((key) => [key, LONG]));
  const { id: clientId, name } = await makeClient(person, { name: `${WORD} Held` });
  for (const some of parts(keys.client))
    await succeed("PUT", `/api/clients/${clientId}`, { client: { name, custom: custom(some) } });

  const { id: serviceCodeId } = await db().serviceCode.findFirstOrThrow({ where: { code: "TRANSPORT" } });
  const minimal = minimalForm(clientId, await formTypeId("Service"));
  const withRows = (serviceProvidedEntriesAttributes: object[], more: object = {}) => ({
    form: { ...minimal, ...more, serviceEntryAttributes: { serviceProvidedEntriesAttributes } },
  });
  const row = { serviceCodeId, minutes: 1 };
  const created = (await succeed("POST", "/api/forms", withRows(Array.from({ length: ROWS }, () => row))))
    .form;
  const formUrl = `/api/forms/${created.id}`;
  const ids: number[] = created.serviceEntry.serviceProvidedEntries.map(({ id }: { id: number }) => id);
  // A body has room for so many long texts, and a list in it replaces the whole list.
  const some = ids.slice(0, IN_BODY);
  await succeed(
    "PUT",
    formUrl,
    withRows(ids.map((id) => ({ id, ...row, ...(some.includes(id) && { referrals: LONG }) }))),
  );
  for (const some of parts(keys.form))
    await succeed("PUT", formUrl, { form: { ...minimal, custom: custom(some) } });
  await rows(
    sql`INSERT INTO form_comments (form_id, user_id, text)
     SELECT ${created.id}, ${person.id}, left(repeat(${`${WORD} `}, 1000), ${COMMENT_LETTERS}) FROM generate_series(2, ${COMMENTS})`,
  );
  await succeed("POST", `${formUrl}/comments`, { text: WORD });
  for (let n = 0; n < DRAFTS; n++)
    await succeed("PUT", `/api/drafts/full-${n}`, {
      draft: {
        formId: null,
        content: { clientId, form: { clientId }, texts: Array.from({ length: 24 }, () => LONG) },
      },
    });
  const submission = { from: "2026-01-01", to: "2026-03-31" };
  const submitted = await succeed("POST", "/api/reports/pmt/submissions", { submission });
  const { id: contactKindId } = await db().contactKind.findFirstOrThrow();
  const contact = (await succeed("POST", "/api/contacts", { contact: { contactKindId } })).contact;
  const house = { name: "House", kind: "In-house", beds: 9 };
  const { shelter } = await succeed("POST", "/api/shelters", { shelter: house });
  const { stay } = await succeed("POST", "/api/stays", { stay: { clientId, shelterId: shelter.id } });
  reads = {
    ...{ clientIds: [clientId], formIds: [created.id], contactIds: [contact.id], stayIds: [stay.id] },
    userId: person.id,
    submissionId: submitted.submission.id,
  };
  for (const url of [formUrl, `/api/clients/${clientId}`])
    recordBytes = (recordBytes ?? 0) + (await call(person.cookie, "GET", url)).bytes.length;
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
const PAGE_FILES = import.meta.glob<{ default: Page }>("../app/\\(staff\\)/**/page.tsx");

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

test("a page has at most ten times the bytes of the largest record", async () => {
  pageCookie = person.cookie;
  const search = Object.fromEntries(new URLSearchParams(PERIOD));
  for (const [file, load] of Object.entries(PAGE_FILES)) {
    const path = file.slice("../app/(staff)".length, -"/page.tsx".length);
    // This page answers every other address with 404.
    if (path === "/[...rest]") continue;
    const lists: Record<string, number | undefined> = {
      "/clients": reads.clientIds[0],
      "/forms": reads.formIds[0],
      "/contacts": reads.contactIds[0],
      "/stays": reads.stayIds[0],
      "/reports": reads.submissionId,
    };
    const [, list = ""] = /^(\/\w+)/.exec(path) ?? [];
    const params = {
      ...{ id: String(lists[list] ?? 1), list: "canines", report: "pmt", line: "individuals_served" },
      ...{ field: "minutes", page: "first-day" },
    };
    const { default: Page } = await load();
    const props = {
      params: Promise.resolve(params),
      searchParams: Promise.resolve(path.startsWith("/reports") ? search : {}),
    };
    const bytes = await Page(props).then(htmlBytes);
    expect(bytes, path).toBeLessThan(bound());
  }
});
