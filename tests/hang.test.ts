import { beforeEach, expect, test, vi } from "vitest";
import { HangWatch } from "@/tests/reporters/hang";

const usage = { busy: 0, all: 0 };
let share = 0;
const messages: string[] = [];
let watch: HangWatch;

beforeEach(() => {
  vi.useFakeTimers();
  messages.length = 0;
  share = 0;
  watch = new HangWatch(
    (message) => messages.push(message),
    () => {
      usage.all += 100;
      usage.busy += share * 100;
      return { ...usage };
    },
  );
  return () => {
    watch.stop();
    vi.useRealTimers();
  };
});

const minutes = (count: number) => vi.advanceTimersByTime(count * 60_000);

test("a run counts as hanging when no test starts or ends in two idle minutes, and the message names the running tests", () => {
  for (const name of ["a.test.ts › first", "b.test.ts › second", "c.test.ts › third"]) watch.begin(name);
  watch.finish("b.test.ts › second");
  minutes(1.9);
  expect(messages).toEqual([]);
  minutes(0.2);
  expect(messages).toEqual([
    "The run hangs: no test has begun or ended for two idle minutes. Running tests:\n  a.test.ts › first\n  c.test.ts › third",
  ]);
  minutes(10);
  expect(messages).toHaveLength(1);
});

test.each([
  ["finishes", (name: string) => watch.finish(name)],
  ["begins", (name: string) => watch.begin(`${name} again`)],
  ["takes a step", () => watch.touch()],
])("a run does not count as hanging while a test %s every minute", (_, act) => {
  watch.begin("a.test.ts › first");
  for (let minute = 0; minute < 10; minute++) {
    minutes(1);
    act("a.test.ts › first");
  }
  expect(messages).toEqual([]);
});

test("a run on a busy machine counts as slow, not hanging", () => {
  share = 0.5;
  watch.begin("a.test.ts › first");
  minutes(60);
  expect(messages).toEqual([]);
  share = 0.05;
  minutes(2);
  expect(messages).toHaveLength(1);
});
