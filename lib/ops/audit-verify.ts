import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import type { ExternalSeal } from "@/lib/audit/seals";
import { sealInArchive } from "@/lib/ops/archive";
import { backupArguments, openingKeys } from "@/lib/ops/backup-key";
import { runCommand } from "@/lib/ops/command";
import type { BackupKeys } from "@/lib/ops/encryption";
import { runningEnvironment } from "@/lib/ops/running";

// `npm run audit:verify [-- FILE…]` compares the audit trail with its seals, and these with those in the files. Files
// are logs, backups, and the .seal files next to backups. Backups for public keys need --identity FILE. The exit code
// is 1 if anything was found.

async function verify(given: readonly string[]): Promise<void> {
  const { files, identity } = backupArguments(given);
  const { url, ...settings } = await runningEnvironment({ owner: true });
  const keys = await openingKeys(settings, identity);
  const externalSeals = (await Promise.all(files.map((file) => sealsIn(file, keys)))).flat();

  const { verifyAudit } = await import("@/lib/audit/verify");
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows, seals, unsealed, findings } = await verifyAudit(client, externalSeals);
    for (const finding of findings) console.log(finding);
    console.log(
      `${rows} rows (${unsealed} not sealed yet) and ${seals} seals, ${externalSeals.length} of them stored outside the database: ${
        findings.length === 0 ? "nothing was changed." : `${findings.length} findings.`
      }`,
    );
    if (findings.length > 0) process.exitCode = 1;
  } finally {
    await client.end();
  }
}

const SEAL = /"auditSeal":\{"id":(\d+),"hmac":"([0-9a-f]{64})"\}/g;

/** Returns the seals in a log or a backup. */
async function sealsIn(file: string, keys: BackupKeys): Promise<ExternalSeal[]> {
  const seal = await sealInArchive(file, keys);
  if (seal) return [seal];
  const bytes = await readFile(file);
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  // The digest of a backup follows its gzipped lines.
  const text = isGzip ? gunzipSync(bytes, { info: false }).toString("utf8") : bytes.toString("utf8");
  return [...text.matchAll(SEAL)].map(([, id, hmac]) => ({ id: Number(id), hmac: String(hmac) }));
}

await runCommand(verify);
