import { expect, it } from "vitest";
import { pool } from "@/lib/db";
import { migrationsCurrent } from "@/lib/ops/migrate";
import { takeConsoleErrors } from "./setup/console";

it("x", async () => {
  expect(await migrationsCurrent(pool())).toBe(true);
  expect((await pool().query("select current_database() d")).rows[0].d).toMatch(/^test_/);
  console.error("a");
  expect(takeConsoleErrors()).toEqual(["a"]);
});
it("fails", () => { console.error("boo"); });
