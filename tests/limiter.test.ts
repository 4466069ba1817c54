import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { tooMany } from "@/lib/core/errors";
import { limiter, withoutSlot } from "@/lib/core/process/limiter";
import { withRequest } from "@/lib/core/process/request-context";
import { makeGate } from "@/tests/gate";

/** Runs `work` in a request of the user. */
const asUser = <T>(userId: number, work: () => T): T =>
  withRequest({ id: "", method: "GET", route: "/forms", userId }, work);

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

test("the limiter gives each user a share, and lets users take turns", async () => {
  const atWork = limiter(3, 2);
  const order: string[] = [];
  const gates = new Map<string, () => void>();
  const start = (userId: number, name: string) =>
    asUser(userId, () =>
      atWork(async () => {
        order.push(name);
        await new Promise<void>((open) => gates.set(name, open));
      }),
    );
  const end = async (name: string) => {
    gates.get(name)?.();
    await turn();
  };
  const all = ["a1", "a2", "a3", "a4"].map((name) => start(1, name));
  await turn();
  // The third task of a user waits, although there is room for it.
  expect(order).toEqual(["a1", "a2"]);
  all.push(start(2, "b1"), start(3, "c1"), start(2, "b2"));
  await turn();
  expect(order).toEqual(["a1", "a2", "b1"]);
  expect(atWork.waiting()).toBe(4);
  for (const name of ["a1", "a2", "b1", "a3", "c1", "b2", "a4"]) await end(name);
  await Promise.all(all);
  expect(order).toEqual(["a1", "a2", "b1", "a3", "c1", "b2", "a4"]);
  expect(atWork.waiting()).toBe(0);
});

test("users take turns, and run one task at once, so that many tasks of one delay no other", async () => {
  const atWork = limiter(2, 1);
  const order: string[] = [];
  const gates = new Map<string, () => void>();
  const start = (userId: number, name: string) =>
    asUser(userId, () =>
      atWork(async () => {
        order.push(name);
        await new Promise<void>((open) => gates.set(name, open));
      }),
    );
  const end = async (name: string) => {
    gates.get(name)?.();
    await turn();
  };
  const all = [
    start(1, "a1"),
    start(1, "a2"),
    start(1, "a3"),
    start(2, "b1"),
    start(2, "b2"),
    start(3, "c1"),
  ];
  await turn();
  // The second task of a user waits, although there is room for it.
  expect(order).toEqual(["a1", "b1"]);
  await end("a1");
  // The user who has not had a turn comes before the next task of the first.
  for (const name of ["b1", "a2", "c1", "b2", "a3"]) {
    expect(order).toContain(name);
    await end(name);
  }
  await Promise.all(all);
  expect(order).toHaveLength(6);
  expect(order.indexOf("c1")).toBeLessThan(order.indexOf("a3"));
});

test("a user with too many waiting tasks is refused, others are not, and a failed task passes its turn on", async () => {
  const atWork = limiter(1, 1, { most: 2, refusal: () => tooMany(60) });
  const inTurn = <T>(userId: number, work: () => Promise<T>) => asUser(userId, () => atWork(work));
  let fail = (_error: Error) => {};
  const first = inTurn(1, () => new Promise<void>((_, refuse) => (fail = refuse)));
  const waiting = [inTurn(1, async () => "second"), inTurn(1, async () => "third")];
  await expect(inTurn(1, async () => "fourth")).rejects.toMatchObject({ code: "too_many" });
  const other = inTurn(2, async () => "other");
  fail(new Error("fails"));
  await expect(first).rejects.toThrow("fails");
  expect(await Promise.all([...waiting, other])).toEqual(["second", "third", "other"]);
});
