import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { limiter, withoutSlot } from "@/lib/core/server/limiter";
import { makeGate } from "@/tests/gate";

test("the limiter runs as many tasks at once as allowed, in order, and continues after one fails", async () => {
  const atWork = limiter(3);
  const order: number[] = [];
  let running = 0;
  let most = 0;
  const work = (index: number) => async () => {
    order.push(index);
    running += 1;
    most = Math.max(most, running);
    await turn();
    running -= 1;
    if (index % 4 === 0) throw new Error("fails");
    return index;
  };
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => atWork(work(index))));
  expect(most).toBe(3);
  expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index));
  expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(5);
});

test("a task aborted in the limiter's queue never starts, and the next one does", async () => {
  const atWork = limiter(1);
  const giveUp = new AbortController();
  let hasBegun = false;
  const first = atWork(() => turn("first"));
  const second = atWork(async () => {
    hasBegun = true;
  }, giveUp.signal);
  const third = atWork(async () => "third");
  giveUp.abort(new Error("given up"));
  await expect(second).rejects.toThrow("given up");
  expect([await first, await third, hasBegun]).toEqual(["first", "third", false]);
});

test("a task that waits without its slot passes the slot on and queues again", async () => {
  const atWork = limiter(1);
  const order: string[] = [];
  const lent = makeGate();
  const first = atWork(async () => {
    order.push("first begins");
    await withoutSlot(() => lent.opened);
    order.push("first goes on");
  });
  const second = atWork(async () => {
    order.push("second begins");
    lent.open();
    // The first task could continue now.
    for (let turns = 0; turns < 10; turns += 1) await turn();
    order.push("second ends");
  });
  await Promise.all([first, second]);
  expect(order).toEqual(["first begins", "second begins", "second ends", "first goes on"]);
  await expect(withoutSlot(async () => "no slot")).resolves.toBe("no slot");
});
