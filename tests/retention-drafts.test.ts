import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { db, rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/sql";
import { draftsAbout, draftsOf, listDrafts, storeClientsOfDrafts } from "@/lib/forms/drafts/drafts";
import { runBlockedBy } from "@/tests/blocked";
import { actorFor, call } from "@/tests/call";
import { makeClient, makeUser, type Person } from "@/tests/factories";

// Drafts by client: drafts about clients who are purged, and those that a client's page offers.

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

test("a purge of many clients decrypts no draft, and deletes those about them", async () => {
  const ids = [await makeOld(), await makeOld(), await makeOld()];
  const { id: other } = await makeClient(owner);
  for (const [place, id] of [...ids, other].entries()) await put(`draft-${place}`, id);
  await rows(sql`UPDATE drafts SET updated_at = now() - interval '1 hour'`);
  decryptions.count = 0;
  expect((await purge(ids)).body.done).toEqual(ids);
  expect(decryptions.count).toBe(0);
  expect(await keysLeft()).toEqual(["draft-3"]);
});

test("a client's page, a list of drafts, and a hand-over read no content of other drafts", async () => {
  const merger = await makeUser(["forms", "clients", "all-forms", "restrict-clients", "users"]);
  const [{ id: mine }, { id: other }, { id: hidden }, { id: former }] = [
    ...[await makeClient(owner), await makeClient(owner), await makeClient(owner), await makeClient(owner)],
  ] as [{ id: number }, { id: number }, { id: number }, { id: number }];
  await put("mine", mine);
  for (let at = 0; at < 20; at += 1) await put(`other-${at}`, other);
  await put("hidden", hidden);
  await put("former", former);
  const both = { client: { name: "Wren", lockVersion: 0 }, other: { id: former, lockVersion: 0 } };
  expect((await call(merger.cookie, "POST", `/api/clients/${mine}/merge`, both)).status).toBe(200);
  const actor = { ...(await actorFor(owner)), hiddenClients: [hidden] };
  decryptions.count = 0;
  expect((await draftsAbout(actor, mine)).map(({ key }) => key)).toEqual(["former", "mine"]);
  // Their names, which are encrypted apart from their content.
  expect(decryptions.count).toBe(2);
  expect(await draftsAbout(actor, hidden)).toEqual([]);
  expect((await listDrafts(actor)).map(({ key }) => key)).not.toContain("hidden");
  decryptions.count = 0;
  const selection = { from: owner.id, hidden: { hiddenClients: [hidden] } };
  expect(await draftsOf(rows, await actorFor(merger), selection)).toHaveLength(22);
  expect(
    await draftsOf(rows, await actorFor(merger), { ...selection, clientIds: [mine, former] }),
  ).toHaveLength(2);
  expect(decryptions.count).toBe(0);
});

test("drafts from before their clients were stored are about the same clients after the next start", async () => {
  const first = await makeOld();
  const second = await makeOld();
  await put("first", first);
  await put("second", second);
  await rows(sql`UPDATE drafts SET client_ids = NULL`);
  await storeClientsOfDrafts();
  expect((await draftsAbout(await actorFor(owner), first)).map(({ key }) => key)).toEqual(["first"]);
  expect((await purge([second])).body.done).toEqual([second]);
  expect(await keysLeft()).toEqual(["first"]);
});

test("a purge deletes drafts that were stored just before, and keeps one that is about another client by now", async () => {
  const first = await makeOld();
  const second = await makeOld();
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
