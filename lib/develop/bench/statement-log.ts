import { open } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Place } from "@/lib/develop/bench/place";

// The statements that PostgreSQL itself reports, with their times: its log, read while one call at a time is made.

export interface Statement {
  text: string;
  /** Parsing, planning and running it. */
  milliseconds: number;
}

/** What one call cost the database. */
export interface Cost {
  statements: Statement[];
  /** BEGIN, COMMIT and the like. */
  control: number;
  milliseconds: number;
}

/** PostgreSQL may log a call a moment after it was answered. */
const SETTLE_MS = 15;

const SETTINGS = {
  log_min_duration_statement: "0",
  log_line_prefix: "'%p '",
  lc_messages: "'C'",
};

const LINE = /^(\d+) LOG: {2}duration: ([\d.]+) ms(?: {2}(parse|bind|execute|statement)[^:]*: ([^\n]*))?/;
const CONTROL = /^\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|START TRANSACTION|SET TRANSACTION)/i;
/** Statements of the server's own background work. */
const BACKGROUND =
  /\b(mails|reset_requests|imports|audit_horizon|audit_seals|former_keys)\b|FROM audit_events/;

/** Makes PostgreSQL log every statement while `work` runs; `costOf` returns what a call caused. */
export async function withStatementLog<T>(
  { database, dataDir }: Place,
  work: (costOf: (call: () => Promise<unknown>) => Promise<Cost>) => Promise<T>,
): Promise<T> {
  for (const [name, value] of Object.entries(SETTINGS))
    await database.query(`ALTER SYSTEM SET ${name} = ${value}`);
  await database.query("SELECT pg_reload_conf()");
  const file = await open(path.join(dataDir, "postgres/log"));
  try {
    await sleep(200);
    return await work(async (call) => {
      await sleep(SETTLE_MS);
      const { size: before } = await file.stat();
      await call();
      await sleep(SETTLE_MS);
      const { size } = await file.stat();
      const bytes = Buffer.alloc(size - before);
      await file.read(bytes, 0, bytes.length, before);
      return parse(bytes.toString("utf8"));
    });
  } finally {
    await file.close();
    for (const name of Object.keys(SETTINGS)) await database.query(`ALTER SYSTEM RESET ${name}`);
    await database.query("SELECT pg_reload_conf()");
  }
}

function parse(log: string): Cost {
  const statements: Statement[] = [];
  /** Time of parsing and binding, by process, until the statement is run. */
  const prepared = new Map<string, number>();
  let control = 0;
  // Lines that begin with a tab continue a statement.
  for (const entry of log.replaceAll("\n\t", " ").split("\n")) {
    const [, process = "", duration, step, text = ""] = LINE.exec(entry) ?? [];
    if (duration === undefined || BACKGROUND.test(text)) continue;
    const spent = (prepared.get(process) ?? 0) + Number(duration);
    if (step === "parse" || step === "bind") {
      prepared.set(process, spent);
      continue;
    }
    prepared.delete(process);
    if (CONTROL.test(text)) control += 1;
    else statements.push({ text: text.replace(/\s+/g, " "), milliseconds: spent });
  }
  return { statements, control, milliseconds: statements.reduce((sum, one) => sum + one.milliseconds, 0) };
}
