import type { Page } from "@playwright/test";
import type pg from "pg";

// The main-thread time of a keystroke in the largest form screen, on a machine four times slower.

const CODES = 200;
const SLOWDOWN = 4;
/** The pause between keys, in which work that waits for a pause of typing runs. */
const PAUSE_MS = 700;

type TraceEvent = {
  name: string;
  ts: number;
  dur?: number;
  pid: number;
  tid: number;
  args: { data?: { type?: string } };
};

export type KeystrokeCost = {
  field: string;
  /** Main-thread milliseconds of each key, until its frame is painted. */
  keys: number[];
  /** The longest task that follows: the state of the sections, the draft. */
  later: number;
};

/**
 * Types `most` keys at most into each of four fields of a legal form with 200 codes; the first field's turn, while all is
 * new, is not counted.
 */
export async function keystrokeCosts(
  database: pg.Client,
  most: number,
  visit: () => Promise<Page>,
): Promise<KeystrokeCost[]> {
  await offerCodes(database);
  const page = await visit();
  await page.goto("/forms/new");
  await page.getByLabel("Form Type *").selectOption({ label: "Legal Advocacy" });
  await page.getByLabel("Brain Injury Assessed").check();
  await page.getByLabel("Minutes for BENCH200", { exact: true }).fill("15");
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  await costOf(page, "Client Name *", "warm up");
  const costs: KeystrokeCost[] = [];
  for (const [field, text] of [
    ["Client Name *", "Maria Teresa"],
    ["Minutes for BENCH100", "1440"],
    ["Pet Description", "a brown dog"],
    ["Filter codes", "bench1"],
  ] as const) {
    if (field === "Pet Description") await page.getByLabel("Threatened Pet").check();
    costs.push(await costOf(page, field, text.slice(0, most)));
  }
  await page.context().close();
  return costs;
}

async function offerCodes(database: pg.Client): Promise<void> {
  await database.query(
    `WITH codes AS (
       INSERT INTO service_codes (code, description, has_referral)
       SELECT 'BENCH' || n, 'One of many services, number ' || n, n % 4 = 0 FROM generate_series(1, $1) n
       RETURNING id)
     INSERT INTO service_code_form_types (service_code_id, form_type_id)
     SELECT codes.id, form_types.id FROM codes, form_types WHERE form_types.name = 'Legal Advocacy'`,
    [CODES],
  );
}

async function costOf(page: Page, field: string, text: string): Promise<KeystrokeCost> {
  const browser = page.context().browser();
  if (!browser) throw new Error("The page has no browser");
  await page.getByLabel(field, { exact: true }).focus();
  await page.waitForTimeout(PAUSE_MS);
  await browser.startTracing(page, {
    categories: ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"],
  });
  for (const key of text) {
    await page.keyboard.press(key);
    await page.waitForTimeout(PAUSE_MS);
  }
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  return { field, ...costs(traceEvents) };
}

function costs(events: TraceEvent[]): Pick<KeystrokeCost, "keys" | "later"> {
  const keys = events.filter(({ name, args }) => name === "EventDispatch" && args.data?.type === "keydown");
  const [{ pid, tid } = { pid: 0, tid: 0 }] = keys;
  const main = events
    .filter((event) => event.pid === pid && event.tid === tid)
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  let end = 0;
  const tasks = main
    .filter(({ name }) => name === "ThreadControllerImpl::RunTask")
    .flatMap(({ ts, dur = 0 }) => {
      // Nested tasks are part of the outermost.
      if (ts < end) return [];
      end = ts + dur;
      return [{ ts, end, milliseconds: dur / 1000 }];
    });
  const own = new Set<object>();
  const work = keys.map(({ ts }) => {
    const painted = main.find((event) => event.name === "Commit" && event.ts > ts)?.ts ?? ts;
    const mine = tasks.filter((task) => task.end >= ts && task.ts <= painted);
    for (const task of mine) own.add(task);
    return mine.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  });
  const others = tasks.filter((task) => !own.has(task));
  return { keys: work, later: Math.max(0, ...others.map(({ milliseconds }) => milliseconds)) };
}
