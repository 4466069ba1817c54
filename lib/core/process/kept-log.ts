import "server-only";
import { appendFileSync, mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { PlainError } from "@/lib/core/process/plain-error";
import { processWide } from "@/lib/core/process-wide";

// Alarms and seals of the audit trail must outlive a container, whose log is deleted with it. So LOG_DIR has a copy of
// their lines, one file a month (docs/operate/monitor.md).

/** A month of hourly seals needs 0.2 MB. A flood of alarms must not fill the disk: standard output has all of them. */
const FILE_BYTES_MAX = 20_000_000;

/** A value of the line cannot contain this, because JSON escapes its quotation marks. */
const IS_KEPT = /"(alarm|auditSeal)":/;

const state = processWide("kept-log", (): { folder?: string; isFailing?: boolean } => ({}));

/** Returns the file for the lines of that month, such as `alarms-2026-11.log`, in UTC. */
const fileOf = (folder: string, at: Date) => path.join(folder, `alarms-${at.toISOString().slice(0, 7)}.log`);

/** Keeps alarms and seals in that folder from now on. Throws PlainError if this account cannot write there. */
export function keepLogIn(folder: string | undefined): void {
  try {
    if (folder) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      appendFileSync(fileOf(folder, new Date()), "", { mode: 0o600 });
    }
  } catch {
    throw new PlainError(
      `Invalid configuration:\n  LOG_DIR: must name a folder that the program can write to`,
    );
  }
  Object.assign(state, { folder, isFailing: false });
}

/**
 * Adds the line of the log to the month's file if it is an alarm or a seal. Calls `warn` for the first of several lines
 * that cannot be written.
 */
export function keepLine(line: string, warn: (error: unknown) => void): void {
  const { folder } = state;
  if (!folder || !IS_KEPT.test(line)) return;
  const file = fileOf(folder, new Date());
  try {
    const { size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (size < FILE_BYTES_MAX) appendFileSync(file, line, { mode: 0o600 });
    state.isFailing = false;
  } catch (error) {
    const isFirst = !state.isFailing;
    state.isFailing = true;
    if (isFirst) warn(error);
  }
}
