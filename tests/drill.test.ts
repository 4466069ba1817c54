import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { sealAudit } from "@/lib/audit/seals";
import { auditOf } from "@/lib/dev/drill-audit";
import { queryAt } from "@/lib/dev/query";
import { makeClient, makeUser } from "@/tests/factories";

// What `npm run drill` says of the audit trail after each fault.

const DATABASE_URL = String(process.env.DATABASE_URL);
const superuser = (sql: string) => queryAt(DATABASE_URL, sql);

test("the drill finds a save without an event, a row that was changed, and seals that were cut off", async () => {
  const ada = await makeUser();
  const names = ["Drill 1", "Drill 2"];
  for (const name of names) await makeClient(ada, { name });
  const audited = async () => {
    // The server that the drill breaks seals meanwhile, and tries again what a busy machine did not end in time.
    let over = false;
    const sealing = (async () => {
      for (; !over; await sleep(20)) await sealAudit().catch(() => {});
    })();
    try {
      return await auditOf(DATABASE_URL, "client", "SELECT id FROM clients WHERE name = ANY($1)", names);
    } finally {
      over = true;
      await sealing;
    }
  };
  expect(await audited()).toEqual({ unaudited: 0, findings: 0 });
  await superuser("UPDATE audit_events SET user_name = 'x' WHERE id = (SELECT min(id) FROM audit_events)");
  expect(await audited()).toEqual({ unaudited: 0, findings: 1 });
  await superuser("DELETE FROM audit_events WHERE action = 'created' AND entity = 'client'");
  const { unaudited, findings } = await audited();
  expect([unaudited, findings > 1]).toEqual([2, true]);
  await superuser("TRUNCATE audit_events, audit_seals");
  expect((await audited()).findings).toBeGreaterThan(0);
});
