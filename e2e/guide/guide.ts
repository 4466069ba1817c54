import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type BrowserContext, chromium, type Page } from "@playwright/test";
import { PICTURES, type Picture, prepare, README_PICTURE, type Reader, UI_PARTS } from "@/e2e/guide/pictures";
import { ensureChromium } from "@/lib/dev/browsers";
import { startServer } from "@/lib/dev/child";
import { DEMO } from "@/lib/ops/demo";
import { freePort, removeDataDir } from "@/lib/ops/embedded";
import { ensureBuild, GUIDE_FOLDER } from "@/lib/ops/stale";

// `npm run guide` makes the pictures of the guide, of README.md, and of docs/develop/style.md again: it starts practice
// mode in a new folder and takes each picture of the guide in a desktop and in a phone. `npm run guide -- NAME…` makes only
// these; README.md's is `readme`, that of the UI components `parts`. Names in the pictures are invented.

const FOLDER = path.join(GUIDE_FOLDER, "pictures");
const README_FILE = "screenshot.png";
const PARTS_FILE = path.join("docs", "develop", "parts.webp");
const DESKTOP = { suffix: "", width: 1280, height: 900, tallest: 720 };
const PHONE = { suffix: "-phone", width: 360, height: 780, tallest: 720 };
const WEBP = { format: "webp", quality: 70 } as const;
const MARGIN = 8;

const ALL = [
  ...Object.entries<Picture>(PICTURES).flatMap(([name, picture]) =>
    [DESKTOP, PHONE].map((size) => ({
      name,
      picture,
      size,
      file: path.join(FOLDER, `${name}${size.suffix}.webp`),
    })),
  ),
  { name: "readme", picture: README_PICTURE, size: DESKTOP, file: README_FILE },
];

const wanted = process.argv.slice(2);

await ensureBuild();
const browser = await chromium.launch({ executablePath: ensureChromium() });
const dataDir = await mkdtemp(path.join(tmpdir(), "lanternbook-guide-"));
const url = `http://localhost:${await freePort()}`;
const settings = {
  PORT: new URL(url).port,
  DATA_DIR: dataDir,
  TZ: "America/New_York",
  SESSION_IDLE_MINUTES: "60",
};
const server = await startServer(settings, [], ["--practice"]);
try {
  const contexts = new Map<Reader, BrowserContext>();
  const signedIn = async (reader: Reader) => {
    const existing = contexts.get(reader);
    if (existing) return existing;
    const context = await browser.newContext({
      baseURL: url,
      colorScheme: "light",
      reducedMotion: "reduce",
      locale: "en-US",
      timezoneId: settings.TZ,
    });
    const login = { email: `${reader}@example.org`, password: DEMO.password };
    await context.request.post("/api/login", { data: { login } });
    contexts.set(reader, context);
    return context;
  };
  await prepare(async (reader) => (await signedIn(reader)).request);
  await mkdir(FOLDER, { recursive: true });
  const names = Object.keys(PICTURES);
  for (const file of await readdir(FOLDER))
    if (!names.includes(file.replace(/(-phone)?\.webp$/, ""))) await rm(path.join(FOLDER, file));
  let bytes = 0;
  for (const { name, picture, size, file } of ALL) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const page = await (await signedIn(picture.as)).newPage();
    try {
      const image = await take(page, picture, size, file.endsWith(".png") ? { format: "png" } : WEBP);
      await writeFile(file, image);
      bytes += image.length;
    } catch (error) {
      process.exitCode = 1;
      console.error(`${file} could not be made:`, error);
    }
    await page.close();
  }
  if (wanted.length === 0 || wanted.includes("parts")) {
    const image = await takeParts(signedIn);
    await writeFile(PARTS_FILE, image);
    bytes += image.length;
  }
  console.log(`${Math.round(bytes / 1024)} KB`);
} finally {
  await browser.close();
  await server.stop();
  await removeDataDir(`${dataDir}-practice`);
  await rm(dataDir, { recursive: true });
}

/** Returns one picture of all UI components, each below its name. */
async function takeParts(signedIn: (reader: Reader) => Promise<BrowserContext>): Promise<Buffer> {
  const figures: string[] = [];
  for (const { name, tallest, ...picture } of UI_PARTS) {
    const page = await (await signedIn(picture.as)).newPage();
    const size = { ...DESKTOP, tallest: tallest ?? DESKTOP.tallest };
    const image = (await take(page, picture, size, { format: "png" })).toString("base64");
    await page.close();
    figures.push(
      `<figure><figcaption>${name}</figcaption><img src="data:image/png;base64,${image}"></figure>`,
    );
  }
  const page = await browser.newPage();
  await page.setViewportSize({ width: DESKTOP.width, height: DESKTOP.height });
  await page.setContent(
    `<style>body { font: 600 16px sans-serif; margin: 16px } figure { margin: 0 0 24px } figcaption { margin-bottom: 8px }
     img { border: 1px solid #ccc; max-width: 100% }</style><main>${figures.join("")}</main>`,
  );
  const { width, height } = (await page.locator("main").boundingBox()) ?? DESKTOP;
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send("Page.captureScreenshot", {
    ...WEBP,
    clip: { x: 0, y: 0, width: width + 32, height: height + 32, scale: 0.75 },
    captureBeyondViewport: true,
  });
  await page.close();
  return Buffer.from(data, "base64");
}

/** Returns the picture in this format. */
async function take(
  page: Page,
  { show, part }: Picture,
  { width, height, tallest }: typeof DESKTOP,
  format: typeof WEBP | { format: "png" },
): Promise<Buffer> {
  await page.setViewportSize({ width, height });
  await show(page);
  await page.waitForLoadState("networkidle");
  // The bars that stay in view while a phone scrolls would cover the middle of the picture.
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(".sticky, header .button { position: static !important; }");
    document.adoptedStyleSheets.push(sheet);
    window.scrollTo(0, 0);
  });
  const target = part?.(page) ?? page.locator("#main > div");
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error("The part to show is not visible");
  const scroll = await page.evaluate(() => ({ x: window.scrollX, y: window.scrollY }));
  const x = Math.max(0, box.x - MARGIN);
  const clip = {
    x: x + scroll.x,
    y: Math.max(0, box.y + scroll.y - MARGIN),
    width: Math.min(width - x, box.width + 2 * MARGIN),
    height: Math.min(tallest, box.height + 2 * MARGIN),
    scale: 1,
  };
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send("Page.captureScreenshot", {
    ...format,
    clip,
    captureBeyondViewport: true,
  });
  return Buffer.from(data, "base64");
}
