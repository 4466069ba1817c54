import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

/**
 * Returns the URL of a new copy of the seeded database, behind the pooler if there is one. Its name starts
 * with the template's name, so that cluster.ts removes both.
 */
export async function copyDatabase(): Promise<string> {
  const template = new URL(inject("templateUrl"));
  const own = new URL(template);
  own.pathname += `_${randomBytes(6).toString("hex")}`;
  const admin = new URL(template);
  admin.pathname = "/postgres";
  await runIn(admin, (client) =>
    client.query(`CREATE DATABASE ${own.pathname.slice(1)} TEMPLATE ${template.pathname.slice(1)}`),
  );
  const pooler = inject("pooler");
  if (!pooler) return own.href;
  const direct = new URL(own);
  own.host = pooler;
  const { applySettings } = await import("@/lib/ops/program-role");
  await runIn(direct, (owner) => applySettings(owner, own.href));
  return own.href;
}

async function runIn(url: URL, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(url.href);
  await client.connect();
  await work(client);
  await client.end();
}
