import { beforeAll, expect, test } from "vitest";
import { preparedName } from "@/lib/database/prepared";
import { bypassPooler } from "@/tests/direct";

beforeAll(bypassPooler);

test("a bounded number of statements is prepared, however many texts are sent, and those keep their names", () => {
  const send = (n: number) => preparedName("clients alike", `SELECT ${n}`);
  const first = send(0);
  const names = new Set(Array.from({ length: 2_000 }, (_, n) => send(n)));
  expect(names.size).toBeLessThanOrEqual(401);
  expect(names).toContain(undefined);
  expect(send(0)).toBe(first);
});
