import { expect, test, vi } from "vitest";
import { sealAudit } from "@/lib/audit/seals";
import { db } from "@/lib/core/database/client";
import { startWorker } from "@/lib/worker";
import { call } from "@/tests/call";
import { makeClient, makeUser } from "@/tests/factories";
import { takeLog } from "@/tests/setup/console";

const HOUR_MS = 3_600_000;
const pauses = vi.hoisted(() => ({ ended: (): void => {} }));

// Every pause of the worker lasts until the worker stops, except the first one-hour pause, which the test
// ends.
vi.mock("node:timers/promises", async (original) => ({
  ...(await original<typeof import("node:timers/promises")>()),
  setTimeout: (ms: number, _: unknown, { signal }: { signal?: AbortSignal } = {}) =>
    new Promise<void>((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
      if (ms === HOUR_MS) pauses.ended = resolve;
    }),
}));

test("the newest seal is logged when the program starts and then every hour", async () => {
  const seals: { id: number; hmac: string }[] = [];
  const logged = () => {
    for (const { auditSeal } of takeLog()) if (auditSeal) seals.push(auditSeal as (typeof seals)[number]);
    return seals;
  };
  const newest = async () => {
    const { id, hmac } = await db().auditSeal.findFirstOrThrow({ orderBy: { id: "desc" } });
    return { id, hmac: Buffer.from(hmac).toString("hex") };
  };
  const user = await makeUser();
  await makeClient(user);
  // A row is sealed once no older transaction is open, including those of other test files on this server.
  const sealedAfter = (id: number) =>
    vi.waitFor(
      async () => {
        await sealAudit();
        expect((await newest()).id).toBeGreaterThan(id);
      },
      { timeout: 60_000 },
    );
  await sealedAfter(0);
  const stop = startWorker();
  try {
    await vi.waitFor(() => expect(logged()).toHaveLength(1), { timeout: 60_000 });
    expect(seals[0]).toEqual(await newest());
    await call(user.cookie, "GET", "/api/clients");
    await sealedAfter(seals[0]?.id ?? 0);
    pauses.ended();
    await vi.waitFor(() => expect(logged()).toHaveLength(2), { timeout: 60_000 });
    expect(seals[1]).toEqual(await newest());
  } finally {
    pauses.ended();
    await stop();
  }
});
