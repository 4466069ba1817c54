import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { sealAudit } from "@/lib/audit/seals";
import { queryAt } from "@/lib/dev/query";
import { endpoints } from "@/lib/endpoints";
import { plainRecordKeys, records } from "@/lib/records/registry";
import { call } from "@/tests/call";
import { auditOf } from "@/tests/drill/audit";
import { drilledKinds, listsOfRecords, nameOf } from "@/tests/drill/kinds";
import { makeClient, makeUser } from "@/tests/factories";
import { itemsOf } from "@/tests/records";

// `npm run drill` must report the audit trail correctly after each fault.

const DATABASE_URL = String(process.env.DATABASE_URL);
const superuser = (sql: string) => queryAt(DATABASE_URL, sql);

test("the drill detects a save without an event, a changed row and missing seals", async () => {
  const ada = await makeUser();
  const names = ["Drill 1", "Drill 2"];
  for (const name of names) await makeClient(ada, { name });
  const drillFindings = async () => {
    // In the drill, the server continues to seal and retries seals that a busy machine did not finish in time.
    let over = false;
    const sealing = (async () => {
      for (; !over; await sleep(20)) await sealAudit().catch(() => {});
    })();
    try {
      const select = "SELECT id, false AS changed FROM clients WHERE name = ANY($1)";
      return await auditOf(DATABASE_URL, [{ entity: "client", select, sent: names }]);
    } finally {
      over = true;
      await sealing;
    }
  };
  expect(await drillFindings()).toEqual({ unaudited: 0, findings: 0 });
  await superuser("UPDATE audit_events SET user_name = 'x' WHERE id = (SELECT min(id) FROM audit_events)");
  expect(await drillFindings()).toEqual({ unaudited: 0, findings: 1 });
  await superuser("DELETE FROM audit_events WHERE action = 'created' AND entity = 'client'");
  const { unaudited, findings } = await drillFindings();
  expect([unaudited, findings > 1]).toEqual([2, true]);
  await superuser("TRUNCATE audit_events, audit_seals");
  expect((await drillFindings()).findings).toBeGreaterThan(0);
});

// They are not saved by lib/audit/save.ts.
const OTHERS = ["apiToken", "field", "submission"];

test("the drill saves every kind of record that the API creates", () => {
  const created = endpoints
    .filter(({ method, audit }) => method === "POST" && [audit?.action].flat().includes("created"))
    .flatMap(({ audit }) => audit?.entity ?? []);
  expect(new Set(drilledKinds.map(({ entity }) => entity))).toEqual(
    new Set(created.filter((entity) => !OTHERS.includes(entity))),
  );
});

test.each(plainRecordKeys)("the API accepts the %s that the drill creates and changes", async (key) => {
  const { entity, permission } = records[key];
  const { cookie } = await makeUser([permission]);
  const firstIds = new Map<string, number>();
  for (const list of listsOfRecords) firstIds.set(list, (await itemsOf(list))[0]);
  const about = { name: nameOf(1), clientId: 0, ids: (list: string) => firstIds.get(list) ?? 0 };
  const kind = drilledKinds.find((one) => one.entity === entity);
  const created = await call(cookie, "POST", `/api/${key}`, { [entity]: kind?.values(about) });
  expect(created.body).toMatchObject({ [entity]: { id: expect.any(Number) } });
  const url = `/api/${key}/${created.body[entity].id}`;
  const changed = await call(cookie, "PUT", url, { [entity]: kind?.changed(about) });
  expect(changed.body).toMatchObject({ [entity]: { lockVersion: 1 } });
});
