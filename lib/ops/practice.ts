import "server-only";
import { spawn } from "node:child_process";
import type { Queryable } from "@/lib/core/database/migrations";
import { PlainError } from "@/lib/core/process/plain-error";
import { PRACTICE_VARIABLE } from "@/lib/core/process/practice";
import { today } from "@/lib/core/text/format";

// Practice mode, `npm start -- --practice`: invented records in a database of its own, which is emptied each night. The
// schema `practice` marks that database. Only an empty database gets the mark, and only a marked one is ever emptied.

/** The hour from which a new day begins, and with it new records. */
const RESET_HOUR = 3;
const CHECK_MS = 60_000;
/** The exit code with which the program asks to be started again. */
const AGAIN = 75;

/** Practice must not reach other systems, and has its own accounts. */
const UNUSED = [
  ...["ADMIN_EMAIL", "ADMIN_PASSWORD", "DATABASE_REPLICA_URL", "SMTP_URL", "SMTP_REQUIRED", "SENTRY_DSN"],
  ...["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_ONLY", "OIDC_BREAK_GLASS"],
  ...["LOG_DIR", "BACKUP_DIR", "BACKUP_PASSPHRASE", "BACKUP_KEY_FILE", "BACKUP_RECIPIENTS"],
];

/** Sets the environment of practice mode. Its data folder is next to the ordinary one. */
export function applyPracticeSettings(environment: NodeJS.ProcessEnv): void {
  for (const name of UNUSED) delete environment[name];
  environment.DATA_DIR = `${(environment.DATA_DIR || ".data").replace(/\/+$/, "")}-practice`;
  environment[PRACTICE_VARIABLE] = "on";
}

/** Returns the day whose records practice has: the previous one before 3 a.m. */
export function practiceDay(now = new Date()): string {
  const day = new Date(now);
  day.setHours(day.getHours() - RESET_HOUR);
  return today(day);
}

/** Throws a PlainError if the database is marked for practice, because its records would be deleted at night. */
export async function refusePractice(owner: Queryable): Promise<void> {
  if (await isMarked(owner))
    throw new PlainError(
      "This database is for practice and loses its records each night. Start it with --practice, or name another one in DATABASE_URL.",
    );
}

/**
 * Marks an empty database for practice, or empties a marked one if the day has changed. Throws a PlainError for any other
 * database. Until the transaction ends, no record is lost.
 */
export async function preparePractice(owner: Queryable, day = practiceDay()): Promise<void> {
  await owner.query("BEGIN");
  try {
    if (await isMarked(owner)) {
      const { rowCount } = await owner.query(
        "UPDATE practice.mark SET day = $1::date WHERE day IS DISTINCT FROM $1::date",
        [day],
      );
      if (rowCount) await owner.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    } else if (await isEmpty(owner)) {
      await owner.query("CREATE SCHEMA practice; CREATE TABLE practice.mark (day date NOT NULL)");
      await owner.query("INSERT INTO practice.mark VALUES ($1)", [day]);
    } else
      throw new PlainError(
        "This database has records and is not marked for practice, so practice mode does not touch it. Name an empty database in DATABASE_URL, or leave DATABASE_URL blank.",
      );
    await owner.query("COMMIT");
  } catch (error) {
    await owner.query("ROLLBACK");
    throw error;
  }
}

async function isMarked(owner: Queryable): Promise<boolean> {
  const { rows } = await owner.query(
    "SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'practice') AS is",
  );
  return rows[0].is;
}

async function isEmpty(owner: Queryable): Promise<boolean> {
  const { rows } = await owner.query(
    `SELECT NOT EXISTS (SELECT FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm')
       AND relnamespace::regnamespace::text NOT IN ('pg_catalog', 'information_schema', 'pg_toast')) AS is`,
  );
  return rows[0].is;
}

/** Calls `stop` with the exit code for a new start once the day has changed. */
export function endAtNight(stop: (code: number) => void): void {
  const day = practiceDay();
  setInterval(() => practiceDay() !== day && stop(AGAIN), CHECK_MS).unref();
}

/**
 * Runs this program again in a child process, and once more each time it ends for the night: the reset needs a database
 * that nothing has read. Ends with the child's code.
 */
export function supervise(): void {
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  process.on("SIGINT", forward).on("SIGTERM", forward);
  child.on("exit", (code) => {
    process.off("SIGINT", forward).off("SIGTERM", forward);
    if (code === AGAIN) supervise();
    else process.exit(code ?? 1);
  });
}
