import "server-only";
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { sealDelay } from "@/lib/audit/seals";
import { backupTimes } from "@/lib/core/database/backup-files";
import { databaseAnswers, poolStates } from "@/lib/core/database/client";
import { secondsBehind } from "@/lib/core/database/replica";
import { env } from "@/lib/core/process/env";
import { gauge, registry } from "@/lib/core/process/metrics";
import { processWide } from "@/lib/core/process-wide";
import { waitingForHash } from "@/lib/identity/hashing";
import { countWaitingMail } from "@/lib/identity/mail/queue";
import { METRICS } from "@/lib/paths";
import { waitingRequests } from "@/lib/route";
import { countWaitingImports } from "@/lib/transfer/imports/imports";

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const gauges = processWide("metrics-gauges", () => ({
  up: gauge("database_up", "1 while the database responds"),
  connections: gauge("database_connections", "Connections to the database, by pool", ["pool", "state"]),
  waiting: gauge("database_waiting", "Callers waiting for a connection, by pool", ["pool"]),
  queue: gauge("queue_waiting", "Tasks waiting, by queue", ["queue"]),
  sealDelay: gauge("audit_seal_delay_seconds", "Age of the oldest event of the audit trail without a seal"),
  backupCompleted: gauge(
    "backup_completed_timestamp_seconds",
    "Time of the newest complete backup; absent without one",
  ),
  backupFailed: gauge(
    "backup_failed",
    "1 if a backup failed after the newest complete one, or the folder of backups cannot be read",
  ),
  replicaUp: gauge("replica_up", "1 while reports are read from the replica; absent without a replica"),
  replicaLag: gauge(
    "replica_lag_seconds",
    "Seconds that the replica is behind; absent while it is unavailable",
  ),
}));

/** Returns a handler that serves /metrics to callers who may read it, and passes everything else to `next`. */
export function withMetrics(next: Handler): Handler {
  return async (request, response) => {
    const [pathname] = (request.url ?? "").split("?", 1);
    if (pathname !== METRICS) return next(request, response);
    if (!mayRead(request)) {
      response.writeHead(404, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ error: "Not found", code: "not_found" }));
      return;
    }
    await readGauges();
    const text = await registry.metrics();
    response.writeHead(200, { "Content-Type": registry.contentType });
    response.end(request.method === "HEAD" ? undefined : text);
  };
}

/** A proxy sends these headers when it forwards another client's request. */
const FORWARDING = /^(forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/i;
const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

const digest = (text: string) => createHash("sha256").update(text).digest();

/**
 * True with METRICS_TOKEN. Without that setting, true for this machine itself, by its own name and without a proxy in
 * between. A page of another site under a name of this machine must not read the metrics. A proxy on this machine may
 * pass requests on without a trace, so an APP_URL elsewhere needs the setting.
 */
function mayRead({ headers, rawHeaders, socket }: IncomingMessage): boolean {
  const { METRICS_TOKEN, hasAppUrl, APP_URL } = env();
  const [, token] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "") ?? [];
  if (METRICS_TOKEN) return token !== undefined && timingSafeEqual(digest(token), digest(METRICS_TOKEN));
  if (hasAppUrl && !LOCAL_HOST.test(new URL(APP_URL).host)) return false;
  // This uses the headers as they were sent, because our server drops some of them.
  const isForwarded = rawHeaders.some((name, at) => at % 2 === 0 && FORWARDING.test(name));
  return !isForwarded && LOOPBACK.test(socket.remoteAddress ?? "") && LOCAL_HOST.test(headers.host ?? "");
}

async function readGauges(): Promise<void> {
  for (const [pool, { used, idle, waiting }] of Object.entries(poolStates())) {
    gauges.connections.set({ pool, state: "used" }, used);
    gauges.connections.set({ pool, state: "idle" }, idle);
    gauges.waiting.set({ pool }, waiting);
  }
  gauges.queue.set({ queue: "requests" }, waitingRequests());
  gauges.queue.set({ queue: "password_hashes" }, waitingForHash());
  await readBackups();
  const answers = await databaseAnswers();
  gauges.up.set(answers ? 1 : 0);
  // Otherwise old numbers would look like new ones.
  for (const each of [gauges.sealDelay, gauges.replicaUp, gauges.replicaLag]) each.remove();
  for (const queue of ["mail", "imports"]) gauges.queue.remove({ queue });
  if (!answers) return;
  const [mail, imports, delay, lag] = await Promise.all([
    countWaitingMail(),
    countWaitingImports(),
    sealDelay(),
    secondsBehind(),
  ]);
  gauges.queue.set({ queue: "mail" }, mail);
  gauges.queue.set({ queue: "imports" }, imports);
  gauges.sealDelay.set(delay);
  if (!env().DATABASE_REPLICA_URL) return;
  gauges.replicaUp.set(lag === null ? 0 : 1);
  if (lag !== null) gauges.replicaLag.set(lag);
}

async function readBackups(): Promise<void> {
  const { completedAt, failedAt, isUnreadable } = await backupTimes();
  gauges.backupFailed.set(failedAt || isUnreadable ? 1 : 0);
  gauges.backupCompleted.remove();
  if (completedAt) gauges.backupCompleted.set(Date.parse(completedAt) / 1000);
}
