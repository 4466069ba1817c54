import { gzipSync } from "node:zlib";
import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import type { Target } from "@/lib/develop/bench/connection";
import { PER_REQUEST, withEmptyApp } from "@/lib/develop/bench/empty-app";
import { BARS, type Bar, ms, type Report, times } from "@/lib/develop/bench/figures";
import { keystrokeCosts } from "@/lib/develop/bench/keystrokes";
import { inTurns, median, rateOf } from "@/lib/develop/bench/load";
import type { Place } from "@/lib/develop/bench/place";
import { savesOf } from "@/lib/develop/bench/saves";
import { ensureChromium } from "@/lib/develop/chromium";
import { generatedUser } from "@/lib/develop/data/fill";
import { DEMO } from "@/lib/operate/demo";

const SLOWDOWN = 4;

interface Screen {
  name: string;
  path: string;
  guest?: boolean;
  /** The content that users come for, and the control they use first. */
  content: string;
  control: string;
  scripts: Bar;
}

/** The cost of the screens for a browser whose processor is four times slower. */
export async function measurePages(
  report: Report,
  place: Place,
  rounds: number,
  { seconds, keys: most }: { seconds: number; keys: number },
): Promise<void> {
  const saves = await savesOf(place);
  const list = { content: "tbody tr", control: "th button" };
  const form = { content: "form input", control: "form input" };
  const screens: Screen[] = [
    { name: "login", path: "/", guest: true, ...form, scripts: BARS.scriptsLogin },
    { name: "forms list", path: "/forms", ...list, scripts: BARS.scriptsLists },
    { name: "clients list", path: "/clients", ...list, scripts: BARS.scriptsLists },
    { name: "new form", path: "/forms/new", ...form, scripts: BARS.scriptsNewForm },
    { name: "edit form", path: `/forms/${saves.id(0, 0)}/edit`, ...form, scripts: BARS.scriptsEdit },
  ];
  const browser = await chromium.launch({ executablePath: await ensureChromium() });
  try {
    const visitor = await visitorOf(browser, place);
    await measureScripts(report, screens, visitor);
    await measureRates(report, screens, place, rounds, seconds);
    await measureLoading(report, screens, visitor, rounds);
    await measureInteractions(report, visitor, rounds);
    report.section("Main thread a key in a legal form with 200 codes, processor slowed 4 times");
    for (const { field, keys } of await keystrokeCosts(place.database, most, () => visitor({}))) {
      report.add(field, median(keys), `${ms(median(keys))}, most ${ms(Math.max(...keys))}`, BARS.typing);
    }
  } finally {
    await browser.close();
  }
}

/** A page of a browser with an empty cache; signed in as an administrator unless a guest. */
export type Visitor = (who: { guest?: boolean | undefined }) => Promise<Page>;

async function visitorOf(browser: Browser, { url }: Place): Promise<Visitor> {
  const signedIn = await browser.newContext({ baseURL: url });
  const data = { email: generatedUser(1), password: DEMO.password };
  const login = await signedIn.request.post("/api/login", { data });
  if (!login.ok()) throw new Error(`The sign-in was answered ${login.status()}`);
  const state = await signedIn.storageState();
  await signedIn.close();
  return async ({ guest }) => {
    const context: BrowserContext = await browser.newContext({
      baseURL: url,
      // What is asked of a page here is given as text, which its policy does not allow.
      bypassCSP: true,
      ...(!guest && { storageState: state }),
    });
    // tsx has the functions that are run in the page call this.
    await context.addInitScript("globalThis.__name = (named) => named");
    return context.newPage();
  };
}

// ---- Scripts ----

/** Compressed bytes of the scripts that opening `url` takes. */
async function scriptsOf(page: Page, url: string): Promise<number> {
  const bodies: Promise<Buffer>[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "script") bodies.push(response.body());
  });
  await page.goto(url, { waitUntil: "networkidle" });
  const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body).length);
  await page.context().close();
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function measureScripts(report: Report, screens: Screen[], visitor: Visitor): Promise<void> {
  report.section("Scripts, compressed, to an empty page of the same Next");
  const empty = await withEmptyApp(async (url) => scriptsOf(await visitor({ guest: true }), url));
  for (const { name, path, guest, scripts } of screens) {
    const size = await scriptsOf(await visitor({ guest }), path);
    const kilobytes = (bytes: number) => (bytes / 1024).toFixed(0);
    report.add(
      name,
      size / empty,
      `${times(size / empty)} (${kilobytes(size)} to ${kilobytes(empty)} KB)`,
      scripts,
    );
  }
}

// ---- Answering ----

/** Pages a second. An empty page shows what Next and React take by themselves. */
async function measureRates(
  report: Report,
  screens: Screen[],
  { product }: Place,
  rounds: number,
  seconds: number,
): Promise<void> {
  report.section(`Pages a second, to an empty page of the same Next, medians of ${rounds}`);
  const answered = (target: Target, path: string) => () =>
    rateOf(target, () => ({ method: "GET", path }), { seconds });
  await withEmptyApp(async (url) => {
    const empty = answered({ port: Number(new URL(url).port) }, PER_REQUEST);
    for (const { name, path, guest } of screens) {
      const [own = [], bare = []] = await inTurns(rounds, [
        answered(guest ? { port: product.port } : product, path),
        empty,
      ]);
      const ratio = median(own) / median(bare);
      report.add(name, ratio, `${times(ratio)} (${median(own).toFixed(0)} of ${median(bare).toFixed(0)}/s)`);
    }
  });
}

// ---- Loading ----

type Seen = { content?: number; hydrated?: number };

/** Notes, frame by frame, when the content is there and when React has taken over the control. */
function watch({ content, control }: { content: string; control: string }): void {
  const seen: Seen = {};
  Object.assign(globalThis, { benchSeen: seen });
  const look = () => {
    if (document.querySelector(content)) seen.content ??= performance.now();
    const element = document.querySelector(control);
    if (element && Object.keys(element).some((key) => key.startsWith("__reactProps"))) {
      seen.hydrated ??= performance.now();
    }
    if (seen.hydrated === undefined || seen.content === undefined) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

async function measureLoading(report: Report, screens: Screen[], visitor: Visitor, rounds: number) {
  report.section(`Opened with an empty cache, processor slowed ${SLOWDOWN} times, medians of ${rounds}`);
  for (const { name, path, guest, content, control } of screens) {
    const seen: Seen[] = [];
    for (let round = 0; round < rounds; round++) {
      const page = await visitor({ guest });
      await slowDown(page);
      await page.addInitScript(watch, { content, control });
      await page.goto(path);
      await page.waitForFunction("benchSeen.content !== undefined && benchSeen.hydrated !== undefined");
      seen.push(await page.evaluate<Seen>("benchSeen"));
      await page.context().close();
    }
    const at = (key: keyof Seen) => median(seen.map((one) => one[key] ?? Number.NaN));
    report.add(name, at("hydrated"), `content ${ms(at("content"))}, hydrated ${ms(at("hydrated"))}`);
  }
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
}

// ---- Interactions ----

/** Collects how long the browser took to show each interaction; it reports none of less than 16 ms. */
function collectInteractions(): void {
  const interactions = new Map<number, number>();
  Object.assign(globalThis, { benchInteractions: interactions });
  // Not a literal argument: the library types lack durationThreshold.
  const options = { type: "event", durationThreshold: 16, buffered: true };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!(entry instanceof PerformanceEventTiming)) continue;
      const longest = Math.max(interactions.get(entry.interactionId) ?? 0, entry.duration);
      if (entry.interactionId > 0) interactions.set(entry.interactionId, longest);
    }
  }).observe(options);
}

/** The longest interaction of `act`, as Interaction to Next Paint counts it. */
async function longestOf(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate("benchInteractions.clear()");
  await act();
  // What is reported is reported with the frame after next.
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 200)))");
  return page.evaluate<number>("Math.max(16, ...benchInteractions.values())");
}

async function measureInteractions(report: Report, visitor: Visitor, rounds: number): Promise<void> {
  report.section(`Interaction to next paint, processor slowed ${SLOWDOWN} times, medians of ${rounds}`);
  const page = await visitor({});
  await page.addInitScript(collectInteractions);
  const settled = () => page.locator('[aria-busy="false"]').first().waitFor();
  const open = async (path: string) => {
    await page.goto(path, { waitUntil: "networkidle" });
    await slowDown(page);
  };
  const acts: { name: string; path: string; bar: Bar; act: (round: number) => Promise<void> }[] = [
    {
      name: "typing a search, clients list",
      path: "/clients",
      bar: BARS.typing,
      act: async (round) => {
        const field = page.getByRole("searchbox").first();
        await field.fill("");
        await field.pressSequentially(["maria", "smith", "jones", "brown", "lopez"][round % 5] ?? "", {
          delay: 60,
        });
        await page.waitForURL(/search=/);
      },
    },
    {
      name: "sorting, forms list",
      path: "/forms",
      bar: BARS.sorting,
      act: (round) =>
        page
          .locator("th button")
          .nth(round % 5)
          .click(),
    },
    {
      name: "next page, forms list",
      path: "/forms",
      bar: BARS.nextPage,
      act: () => page.getByRole("button", { name: "Next page" }).click(),
    },
  ];
  for (const { name, path, bar, act } of acts) {
    await open(path);
    const longest: number[] = [];
    for (let round = 0; round < rounds; round++) {
      longest.push(
        await longestOf(page, async () => {
          await act(round);
          await settled();
        }),
      );
      await page.waitForLoadState("networkidle");
    }
    report.add(name, median(longest), `${ms(median(longest))}, most ${ms(Math.max(...longest))}`, bar);
  }
  await page.context().close();
}
