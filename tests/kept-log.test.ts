import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { keepLogIn } from "@/lib/core/process/kept-log";
import { alarmLog, log } from "@/lib/core/process/log";
import { takeErrors, takeLog } from "@/tests/setup/console";

let folder: string;
const file = () => path.join(folder, `alarms-${new Date().toISOString().slice(0, 7)}.log`);

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "lanternbook-log-"));
});
afterEach(async () => {
  keepLogIn(undefined);
  log.level = "info";
  await rm(folder, { recursive: true, force: true });
});

const SEAL = { id: 7, hmac: "0".repeat(64) };

describe("LOG_DIR", () => {
  test("has a copy of each alarm and seal in the month's file, readable only by its owner, and no other line", async () => {
    const inner = path.join(folder, "made", "by the start");
    keepLogIn(inner);
    folder = inner;
    log.level = "error";
    log.error({ alarm: "audit_not_written", event: { id: 1 } }, "An event could not be recorded");
    alarmLog.info({ auditSeal: SEAL }, "The newest seal of the audit trail");
    log.error({ code: 'said "alarm":' }, "Another error");
    const logged = takeLog();
    expect(takeErrors()).toHaveLength(2);
    const lines = (await readFile(file(), "utf8"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toEqual(logged.slice(0, 2));
    expect(lines).toMatchObject([{ alarm: "audit_not_written" }, { auditSeal: SEAL }]);
    expect((await stat(file())).mode & 0o777).toBe(0o600);
  });

  test("keeps what earlier containers wrote", async () => {
    await writeFile(file(), "earlier\n");
    keepLogIn(folder);
    alarmLog.info({ auditSeal: SEAL }, "The newest seal of the audit trail");
    expect(await readFile(file(), "utf8")).toMatch(/^earlier\n\{.*"auditSeal":.*\}\n$/);
  });

  test("gets no more lines in a month than 20 MB, so that a flood of alarms does not fill the disk", async () => {
    keepLogIn(folder);
    await writeFile(file(), "");
    await truncate(file(), 20_000_000);
    alarmLog.info({ alarm: "no_break_glass" }, "A warning");
    expect(takeLog()).toHaveLength(1);
    expect((await stat(file())).size).toBe(20_000_000);
  });

  test("that goes away is logged once, and loses no line of the log", async () => {
    keepLogIn(folder);
    await rm(folder, { recursive: true });
    for (const id of [1, 2])
      alarmLog.info({ auditSeal: { ...SEAL, id } }, "The newest seal of the audit trail");
    expect(takeLog().map(({ message }) => message)).toEqual([
      "The newest seal of the audit trail",
      "An alarm or seal could not be written to LOG_DIR",
      "The newest seal of the audit trail",
    ]);
    expect(takeErrors()).toHaveLength(1);
  });

  test("that cannot be written stops the start, which names it", async () => {
    await writeFile(path.join(folder, "file"), "");
    expect(() => keepLogIn(path.join(folder, "file", "below"))).toThrow("LOG_DIR: must name a folder");
    expect(await readdir(folder)).toEqual(["file"]);
  });
});
