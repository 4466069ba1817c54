import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type AutosaveState, createAutosave } from "@/components/record/autosave";

// The autosave of a form's draft, tested against a server made of promises.

type Sent = { value: string; leaving: boolean; signal: AbortSignal; answer: (error?: unknown) => void };

let value: string;
let dirty: boolean;
let saves: Sent[];
let states: AutosaveState[];
/** If set, a save responds at once: with this error, or successfully (null). */
let instant: Error | null | undefined;

const start = () =>
  createAutosave({
    isDirty: () => dirty,
    save: (leaving, signal) =>
      new Promise((resolve, reject) => {
        const answer = (error?: unknown) => (error ? reject(error) : resolve());
        saves.push({ value, leaving, signal, answer });
        if (instant !== undefined) answer(instant);
      }),
    isPassing: (error) => (error as Error).message === "down",
    onState: (state) => states.push(state),
  });

const values = () => saves.map((one) => one.value);
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  value = "";
  dirty = true;
  saves = [];
  states = [];
  instant = null;
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a draft is sent", () => {
  test("once, 1.5 s after the last change", async () => {
    const draft = start();
    for (value of ["a", "ab", "abc"]) {
      draft.schedule();
      await pass(1_000);
    }
    expect(values()).toEqual([]);
    await pass(500);
    expect(values()).toEqual(["abc"]);
    await pass(60_000);
    expect(values()).toEqual(["abc"]);
    expect(states).toEqual(["saving", "saved"]);
  });

  test("at least every 10 s during continuous typing", async () => {
    const draft = start();
    for (let second = 0; second < 31; second += 1) {
      value = `${second}`;
      draft.schedule();
      await pass(1_000);
    }
    expect(saves.length).toBe(3);
  });

  test("only when there is something to save", async () => {
    const draft = start();
    dirty = false;
    draft.schedule();
    await pass(20_000);
    expect(saves).toEqual([]);
    expect(states).toEqual([]);
  });

  test("again at once when the browser is online again, and not before a first failure", async () => {
    instant = new Error("down");
    const draft = start();
    draft.schedule();
    draft.retry();
    expect(saves.length).toBe(0);
    // Failures at 1.5, 3.5, 7.5, 15.5, and 31.5 seconds. The next attempt would be at 63.5 seconds.
    await pass(40_000);
    expect(saves.length).toBe(5);
    instant = null;
    draft.retry();
    await pass(0);
    expect(saves.length).toBe(6);
    expect(states.at(-1)).toBe("saved");
    draft.retry();
    await pass(60_000);
    expect(saves.length).toBe(6);
  });

  test("one request at a time, and changes made during a save are sent with the next", async () => {
    instant = undefined;
    const draft = start();
    value = "a";
    draft.schedule();
    await pass(1_500);
    value = "b";
    draft.schedule();
    await pass(30_000);
    expect(values()).toEqual(["a"]);
    saves[0]?.answer();
    await pass(1_500);
    expect(values()).toEqual(["a", "b"]);
  });
});

describe("a draft is called saved", () => {
  test("only until the next change", async () => {
    instant = null;
    const draft = start();
    draft.schedule();
    await pass(1_500);
    expect(states).toEqual(["saving", "saved"]);
    draft.schedule();
    draft.schedule();
    expect(states).toEqual(["saving", "saved", "changed"]);
    await pass(1_500);
    expect(states).toEqual(["saving", "saved", "changed", "saving", "saved"]);
  });

  test("only if nothing was changed during the save", async () => {
    instant = undefined;
    const draft = start();
    draft.schedule();
    await pass(1_500);
    draft.schedule();
    saves[0]?.answer();
    await pass(0);
    expect(states).toEqual(["saving", "changed"]);
    await pass(1_500);
    saves[1]?.answer();
    await pass(0);
    expect(states).toEqual(["saving", "changed", "saving", "saved"]);
  });
});

describe("a draft that could not be sent", () => {
  test("is retried with growing pauses while the server is down, with the current values", async () => {
    instant = new Error("down");
    const draft = start();
    value = "a";
    draft.schedule();
    const at: number[] = [];
    for (let second = 0; second < 300; second += 0.5) {
      const before = saves.length;
      await pass(500);
      if (saves.length > before) at.push(second + 0.5);
    }
    expect(at).toEqual([1.5, 3.5, 7.5, 15.5, 31.5, 63.5, 123.5, 183.5, 243.5]);
    value = "later";
    instant = null;
    await pass(60_000);
    expect(values().at(-1)).toBe("later");
    expect(states.at(-1)).toBe("saved");
  });

  test("is not sent sooner because the user types", async () => {
    instant = new Error("down");
    const draft = start();
    for (let tick = 0; tick < 310; tick += 1) {
      draft.schedule();
      await pass(100);
    }
    expect(saves.length).toBeLessThanOrEqual(4);
  });

  test("because it was refused is not sent again until it changes", async () => {
    instant = new Error("too large");
    const draft = start();
    draft.schedule();
    await pass(600_000);
    expect(saves.length).toBe(1);
    expect(states).toEqual(["saving", "refused"]);
    draft.schedule();
    await pass(1_500);
    expect(saves.length).toBe(2);
  });
});

describe("leaving the page of a form", () => {
  test("sends an unsaved draft at once", async () => {
    const draft = start();
    value = "a";
    draft.schedule();
    draft.leave();
    expect(saves).toMatchObject([{ value: "a", leaving: true }]);
    await pass(60_000);
    expect(saves.length).toBe(1);
  });

  test("sends nothing if everything is saved", async () => {
    const draft = start();
    draft.leave();
    draft.schedule();
    await pass(1_500);
    draft.leave();
    expect(saves.length).toBe(1);
  });

  test("repeats a draft request that the browser would cancel, but not one that outlives the page", async () => {
    instant = undefined;
    const draft = start();
    draft.schedule();
    await pass(1_500);
    draft.leave();
    draft.leave();
    expect(saves).toMatchObject([{ leaving: false }, { leaving: true }]);
    expect(saves[0]?.signal.aborted).toBe(true);
    expect(saves[1]?.signal.aborted).toBe(false);
    saves[1]?.answer();
    await pass(0);
    expect(states.at(-1)).toBe("saved");
  });
});

describe("around the save of the form itself", () => {
  test("the draft is sent before it, but not during or after it", async () => {
    const draft = start();
    value = "a";
    draft.schedule();
    const order: string[] = [];
    const saving = draft.hold(async () => {
      order.push(`${values()}`);
      draft.schedule();
      await pass(15_000);
      return "answer";
    });
    expect(await saving).toBe("answer");
    expect(order).toEqual(["a"]);
    await pass(60_000);
    draft.leave();
    expect(values()).toEqual(["a"]);
  });

  test("changes made during a failed save are sent as a draft", async () => {
    const draft = start();
    const saving = draft.hold(async () => {
      value = "b";
      draft.schedule();
      throw new Error("409");
    });
    await expect(saving).rejects.toThrow("409");
    await pass(1_500);
    expect(values()).toEqual(["b"]);
  });

  test("a hanging draft request delays it by at most 2 s, is aborted, and is retried if the save failed", async () => {
    instant = undefined;
    const draft = start();
    draft.schedule();
    await pass(1_500);
    const work = vi.fn(async () => {
      throw new Error("503");
    });
    const rejection = expect(draft.hold(work)).rejects.toThrow("503");
    await pass(1_999);
    expect(work).not.toHaveBeenCalled();
    await pass(1);
    await rejection;
    expect(work).toHaveBeenCalledOnce();
    expect(saves[0]?.signal.aborted).toBe(true);
    expect(states.at(-1)).toBe("failed");
    await pass(1_500);
    expect(saves.length).toBe(2);
  });
});

describe("flushing the draft before the session ends", () => {
  test("sends the latest values as soon as the running request ends", async () => {
    instant = undefined;
    const draft = start();
    value = "a";
    draft.schedule();
    await pass(1_500);
    value = "ab";
    draft.schedule();
    const flushed = vi.fn();
    void draft.flush().then(flushed);
    await pass(100);
    expect(values()).toEqual(["a"]);
    saves[0]?.answer();
    await pass(0);
    expect(values()).toEqual(["a", "ab"]);
    expect(flushed).not.toHaveBeenCalled();
    saves[1]?.answer();
    await pass(0);
    expect(flushed).toHaveBeenCalledOnce();
  });

  test("sends nothing if the latest values are saved", async () => {
    const draft = start();
    draft.schedule();
    await pass(1_500);
    await draft.flush();
    expect(saves.length).toBe(1);
  });
});
