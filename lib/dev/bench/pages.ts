import { gzipSync } from "node:zlib";
import { chromium, type Page } from "@playwright/test";
import { withEmptyApp } from "@/lib/dev/bench/empty-app";
import { savesOf } from "@/lib/dev/bench/load";
import { ADMINISTRATOR, type Place } from "@/lib/dev/bench/place";
import { inMs, inTimes, median, type Report } from "@/lib/dev/bench/report";
import { ensureChromium } from "@/lib/dev/browsers";

const SLOWDOWN = 4;
const INTERACTION = { most: 100 };
const CODES = 200;

/** Opens a page in a browser with an empty cache; signed in as an administrator unless a guest. */
type Visit = (who?: { guest: boolean }) => Promise<Page>;

/** Measures the size of each screen's scripts, and the time to show an interaction on a slow machine. */
export async function measurePages(report: Report, place: Place, rounds: number): Promise<void> {
  const browser = await chromium.launch({ executablePath: ensureChromium() });
  try {
    const visit: Visit = async (who) => {
      // Playwright adds some scripts below to the page as text, which the page's policy does not allow.
      const context = await browser.newContext({ baseURL: place.url, bypassCSP: true });
      if (!who?.guest) await context.request.post("/api/login", { data: ADMINISTRATOR });
      return context.newPage();
    };
    await measureScripts(report, place, visit);
    await measureInteractions(report, place, await visit(), rounds);
  } finally {
    await browser.close();
  }
}

async function measureScripts(report: Report, place: Place, visit: Visit): Promise<void> {
  report.section("Scripts, compressed, to an empty page of the same Next");
  const [form] = (await savesOf(place)).ids;
  const empty = await withEmptyApp(async (url) => scriptsOf(await visit({ guest: true }), url));
  for (const [name, path, most] of [
    ["login", "/", 1.3],
    ["forms list", "/forms", 1.5],
    ["clients list", "/clients", 1.5],
    ["new form", "/forms/new", 1.8],
    ["edit form", `/forms/${form}/edit`, 1.8],
  ] as const) {
    const size = await scriptsOf(await visit({ guest: path === "/" }), path);
    const kilobytes = `${(size / 1024).toFixed(0)} to ${(empty / 1024).toFixed(0)} KB`;
    report.add(name, size / empty, `${inTimes(size / empty)} (${kilobytes})`, { most });
  }
}

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

async function measureInteractions(report: Report, place: Place, page: Page, rounds: number): Promise<void> {
  report.section(`Interaction to next paint, processor slowed ${SLOWDOWN} times, medians of ${rounds}`);
  await page.addInitScript(COLLECT_INTERACTIONS);
  const open = async (path: string) => {
    await page.goto(path, { waitUntil: "networkidle" });
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  };
  const measure = async (name: string, act: (round: number) => Promise<unknown>) => {
    const longest: number[] = [];
    for (let round = 0; round < rounds; round++) longest.push(await longestOf(page, () => act(round)));
    const shown = `${inMs(median(longest))}, most ${inMs(Math.max(...longest))}`;
    report.add(name, median(longest), shown, INTERACTION);
  };
  const settled = () => page.waitForLoadState("networkidle");

  await open("/clients");
  await measure("typing a search", async (round) => {
    const field = page.getByRole("searchbox").first();
    await field.fill("");
    const words = ["maria", "smith", "jones", "brown", "lopez"];
    await field.pressSequentially(words[round % words.length] ?? "", { delay: 60 });
    await settled();
  });
  await open("/forms");
  await measure("sorting a list", async (round) => {
    const heading = page.locator("th button").nth(round % 5);
    await heading.click();
    await settled();
  });
  await measure("the next page", async () => {
    await page.getByRole("button", { name: "Next page" }).click();
    await settled();
  });
  await offerCodes(place);
  await open("/forms/new");
  await page.getByLabel("Form Type *").selectOption({ label: "Legal Advocacy" });
  await page.getByLabel("Minutes for BENCH200", { exact: true }).fill("15");
  const type = (label: string, keys: string) =>
    measure(`typing into ${label}, legal form of ${CODES} codes`, () =>
      page.getByLabel(label, { exact: true }).pressSequentially(keys, { delay: 300 }),
    );
  await type("Client Name *", "Maria");
  await type("Minutes for BENCH100", "1");
  await type("Filter codes", "b");
  await page.context().close();
}

/** Runs in the page: collects the times that the browser took to show each interaction, if 16 ms or more. */
const COLLECT_INTERACTIONS = `
  globalThis.benchInteractions = new Map();
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId > 0)
        benchInteractions.set(interactionId, Math.max(benchInteractions.get(interactionId) ?? 0, duration));
  }).observe({ type: "event", durationThreshold: 16, buffered: true });`;

/** Returns the longest interaction of `act`, as Interaction to Next Paint counts it. */
async function longestOf(page: Page, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate("benchInteractions.clear()");
  await act();
  // The browser reports it with the frame after next.
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 200)))");
  return page.evaluate<number>("Math.max(16, ...benchInteractions.values())");
}

async function offerCodes({ query }: Place): Promise<void> {
  await query(
    `WITH codes AS (
       INSERT INTO service_codes (code, description, has_referral)
       SELECT 'BENCH' || n, 'One of many services, number ' || n, n % 4 = 0 FROM generate_series(1, $1) n
       RETURNING id)
     INSERT INTO service_code_form_types (service_code_id, form_type_id)
     SELECT codes.id, form_types.id FROM codes, form_types WHERE form_types.name = 'Legal Advocacy'`,
    [CODES],
  );
}
