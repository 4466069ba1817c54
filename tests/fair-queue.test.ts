import { expect, test } from "vitest";
import { alternateQueues, fairQueue } from "@/lib/core/process/fair-queue";

const full = () => new Error("full");

test("a fair queue serves owners in turn, and each owner's tasks in order", async () => {
  const queue = fairQueue<string>(10);
  const order: string[] = [];
  const wait = (owner: string, name: string) => queue.wait(owner, full).then(() => order.push(name));
  const all = [
    wait("a", "a1"),
    wait("a", "a2"),
    wait("a", "a3"),
    wait("b", "b1"),
    wait("c", "c1"),
    wait("b", "b2"),
  ];
  for (let n = 0; n < 6; n++) expect(queue.next("go")).toBe(true);
  await Promise.all(all);
  expect(order).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
  expect(queue.next("go")).toBe(false);
});

test("a full fair queue refuses the newest task of the owner with the most tasks, and a new owner only in a tie", async () => {
  const queue = fairQueue<string>(3);
  const outcome = (owner: string) =>
    queue.wait(owner, full).then(
      (value) => value,
      (error: Error) => error.message,
    );
  const first = outcome("a");
  const second = outcome("a");
  const third = outcome("a");
  expect(await outcome("a")).toBe("full");
  const other = outcome("b");
  expect(await third).toBe("full");
  const another = outcome("c");
  const last = outcome("d");
  expect(await second).toBe("full");
  expect(await last).toBe("full");
  for (const value of ["1", "2", "3"]) queue.next(value);
  expect(await Promise.all([first, other, another])).toEqual(["1", "2", "3"]);
});

test("two fair queues that share threads take turns, and a full one does not affect the other", async () => {
  const devices = fairQueue<string>(2);
  const others = fairQueue<string>(2);
  const next = alternateQueues([devices, others]);
  const order: string[] = [];
  const wait = (queue: typeof devices, name: string) => queue.wait(name, full).then(() => order.push(name));
  const all = [wait(others, "a"), wait(others, "b"), wait(devices, "k1"), wait(devices, "k2")];
  await expect(others.wait("c", full)).rejects.toThrow("full");
  for (let n = 0; n < 4; n++) expect(next("go")).toBe(true);
  await Promise.all(all);
  expect(order).toEqual(["a", "k1", "b", "k2"]);
  expect(next("go")).toBe(false);
});
