import { beforeAll, expect, test } from "vitest";
import { statementName } from "@/lib/core/database/prepared";
import { bypassPooler } from "@/tests/direct";

beforeAll(bypassPooler);

test("a limited number of frequent statements get names, and keep them", () => {
  const send = (n: number) => statementName(`SELECT ${n}, $1`, [1]);
  const sendRepeatedly = (n: number) => Array.from({ length: 5 }, () => send(n)).at(-1);
  expect([send(0), send(0), send(0), send(0)]).toEqual(Array(4).fill(undefined));
  const first = send(0);
  expect(first).toBeDefined();
  const names = new Set(Array.from({ length: 2_000 }, (_, n) => sendRepeatedly(n + 1)));
  expect(names.size).toBeLessThanOrEqual(401);
  expect(names).toContain(undefined);
  expect(send(0)).toBe(first);
});
