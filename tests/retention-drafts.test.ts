import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { db, rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/database/sql";
import { runBlockedBy } from "@/tests/blocked";
import { call } from "@/tests/call";
import { makeClient, makeUser, type Person } from "@/tests/factories";

// Drafts about clients who are purged. The client's id is in the encrypted part of a draft.

const decryptions = vi.hoisted(() => ({ count: 0 }));
vi.mock("@/lib/forms/drafts/cipher", async (original) => {
  const cipher = await original<typeof import("@/lib/forms/drafts/cipher")>();
  const unseal: typeof cipher.unseal = (...args) => {
    decryptions.count += 1;
    return cipher.unseal(...args);
  };
  return { ...cipher, unseal };
});

let keeper: Person;
let owner: Person;

beforeAll(async () => {
  keeper = await makeUser(["retention"]);
  owner = await makeUser(["forms", "clients"]);
  await call(keeper.cookie, "PUT", "/api/retention", { retention: { years: 7, nightly: false } });
});
beforeEach(() => db().draft.deleteMany());

async function makeOld(): Promise<number> {
  const { id } = await makeClient(owner);
  await rows(sql`UPDATE clients SET updated_at = now() - interval '8 years' WHERE id = ${id}`);
  return id;
}
const put = (key: string, clientId: number) =>
  call(owner.cookie, "PUT", `/api/drafts/${key}`, { draft: { formId: null, content: { clientId } } });
const keysLeft = async () => (await db().draft.findMany({ orderBy: { key: "asc" } })).map(({ key }) => key);
const purge = (ids: number[]) => call(keeper.cookie, "POST", "/api/retention/purge", { ids });

test("a purge of many clients decrypts each draft once, and deletes those about them", async () => {
  const ids = [await makeOld(), await makeOld(), await makeOld()];
  const { id: other } = await makeClient(owner);
  for (const [place, id] of [...ids, other].entries()) await put(`draft-${place}`, id);
  await rows(sql`UPDATE drafts SET updated_at = now() - interval '1 hour'`);
  decryptions.count = 0;
  expect((await purge(ids)).body.done).toEqual(ids);
  expect(decryptions.count).toBe(4);
  expect(await keysLeft()).toEqual(["draft-3"]);
});

test("a purge deletes drafts that were stored just before, and keeps one that is about another client by now", async () => {
  const [first, second] = [await makeOld(), await makeOld()];
  const { id: other } = await makeClient(owner);
  await put("fresh", second);
  await put("moved", first);
  await put("moved", other);
  expect((await purge([first, second])).body.done).toEqual([first, second]);
  expect(await keysLeft()).toEqual(["moved"]);
});

test("a draft about a client who was merged into a purged one is refused", async () => {
  const merger = await makeUser(["forms", "clients", "all-forms"]);
  const [target, { id: mergedId }] = [await makeOld(), await makeClient(owner)];
  const both = { client: { name: "Wren", lockVersion: 0 }, other: { id: mergedId, lockVersion: 0 } };
  expect((await call(merger.cookie, "POST", `/api/clients/${target}/merge`, both)).status).toBe(200);
  expect((await put("merged", mergedId)).status).toBe(200);
  await rows(sql`UPDATE clients SET updated_at = now() - interval '8 years' WHERE id = ${target}`);
  expect((await purge([target])).body.done).toEqual([target]);
  expect((await put("stale", mergedId)).status).toBe(404);
  expect(await keysLeft()).toEqual([]);
});

test("a draft that is stored during its client's purge waits for it, and is refused", async () => {
  const id = await makeOld();
  const purging = `SELECT FROM clients WHERE id = ${id} FOR UPDATE; UPDATE clients SET purged = TRUE WHERE id = ${id}`;
  expect((await runBlockedBy(purging, () => put("late", id))).status).toBe(404);
  expect(await keysLeft()).toEqual([]);
});
