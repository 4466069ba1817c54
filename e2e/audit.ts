import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Locator, Page } from "@playwright/test";
import type axe from "axe-core";
import { expect } from "@/e2e/fixtures";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const STANDARD: axe.RunOnly = {
  type: "tag",
  values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
};
const COLORS: axe.RunOnly = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

export const DESK = { width: 1280, height: 900 };
/** The same desktop at 200% zoom. */
const ZOOMED = { width: 640, height: 450 };
export const PHONE = { width: 360, height: 740 };
/** A letter page, at the 96 CSS pixels per inch. */
const PAPER = { width: 816, height: 1056 };

/**
 * Expects no problems on the page in its current state, on desktop and phone, light and dark. `state` names
 * the state in the error. The dark scheme differs only in colors (`@custom-variant dark` in globals.css), so
 * only color rules run again.
 */
export async function audit(page: Page, state: string) {
  await prepare(page);
  const wrong: string[] = [];
  await page.setViewportSize(ZOOMED);
  wrong.push(...(await page.evaluate(layoutProblems)).map((problem) => `at 200 %: ${problem}`));
  for (const size of [PHONE, DESK]) {
    await page.setViewportSize(size);
    const light = await problems(page);
    await page.emulateMedia({ colorScheme: "dark" });
    const dark = await page.evaluate(axeProblems, COLORS);
    await page.emulateMedia({ colorScheme: "light" });
    wrong.push(...light.map((problem) => `${size.width} px: ${problem}`));
    wrong.push(...dark.map((problem) => `${size.width} px, dark: ${problem}`));
  }
  expect.soft(wrong, state).toEqual([]);
}

/** Expects no problems on the printed page. It has no h1, because the record's title is printed. */
export async function auditPrint(page: Page, state: string) {
  await prepare(page);
  await page.setViewportSize(PAPER);
  await page.emulateMedia({ media: "print" });
  const light = await page.evaluate(axeProblems, STANDARD);
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await page.evaluate(axeProblems, COLORS);
  await page.emulateMedia({ colorScheme: "light", media: null });
  await page.setViewportSize(DESK);
  const wrong = [...light, ...dark].filter((problem) => !problem.startsWith("page-has-heading-one"));
  expect.soft(wrong, state).toEqual([]);
}

/**
 * Loads axe into the page, and renders content outside the viewport, which would otherwise be measured
 * overlapping.
 */
async function prepare(page: Page) {
  // A page that a redirect led to may be visible before its style sheet has loaded.
  await page.waitForLoadState();
  await page.emulateMedia({ reducedMotion: "reduce" });
  if (await page.evaluate(() => "axe" in window)) return;
  // Evaluated, because the content security policy allows no inline <script>.
  await page.evaluate(AXE);
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      "* { content-visibility: visible !important; } [data-unstuck] .sticky { position: static !important; }",
    );
    document.adoptedStyleSheets.push(sheet);
  });
}

/** Returns the problems of the page at its current size. */
export async function problems(page: Page): Promise<string[]> {
  await prepare(page);
  // A control halfway under the header or under the bar at the bottom would be measured as too small.
  await page.evaluate(() => {
    window.scrollTo({ top: 0, behavior: "instant" });
    document.documentElement.dataset.unstuck = "";
  });
  const found = [...(await page.evaluate(axeProblems, STANDARD)), ...(await page.evaluate(layoutProblems))];
  await page.evaluate(() => delete document.documentElement.dataset.unstuck);
  return found;
}

/** Returns the buttons of an element that are too small for a finger. */
export const smallTargets = (element: Locator): Promise<string[]> =>
  element
    .locator(".button")
    .filter({ visible: true })
    .evaluateAll((buttons) =>
      buttons
        .filter((button) => {
          const { width, height } = button.getBoundingClientRect();
          return width < 44 || height < 44;
        })
        .map((button) => button.outerHTML.slice(0, 150)),
    );

/** Runs in the page. */
async function axeProblems(runOnly: axe.RunOnly): Promise<string[]> {
  const { violations } = await (window as unknown as { axe: typeof axe }).axe.run({
    runOnly,
    resultTypes: [],
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary = "" }) => `${id}: ${html.slice(0, 200)} ${failureSummary.split("\n")[1]}`,
    ),
  );
}

/** Runs in the page. */
function layoutProblems(): string[] {
  const wrong: string[] = [];
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) wrong.push(`the page is ${scrollWidth} px wide`);
  const targets = "a[href], button, input, select, textarea, summary, [role=option], [role=gridcell]";
  for (const control of document.querySelectorAll<HTMLElement>(targets)) {
    const unseen = !control.checkVisibility() || control.closest("[aria-hidden=true], .sr-only:not(:focus)");
    if (unseen) continue;
    const target = control.matches("[type=checkbox], [type=radio]")
      ? (control.closest("label") ?? control)
      : control;
    const { left, right, width, height } = target.getBoundingClientRect();
    const name = control.outerHTML.slice(0, 150);
    if (width < 24 || height < 24) wrong.push(`${Math.round(width)}×${Math.round(height)} px: ${name}`);
    if (left < 0 || right > clientWidth + 0.5) wrong.push(`cut off: ${name}`);
  }
  if ([...document.querySelectorAll("h1")].filter((h1) => h1.checkVisibility()).length !== 1) {
    wrong.push("not one h1");
  }
  // A locked page does not name the product.
  const isLocked = document.querySelector("[data-session-lock]") !== null && document.title === "Locked";
  const isUsual = /^[A-Z][A-Za-z (),:-]*( \d+)?( · [A-Z][A-Za-z -]* · [\d/]{10})? · Lanternbook$/;
  if (!isLocked && !isUsual.test(document.title)) wrong.push(`title: ${document.title}`);
  return wrong;
}

/** Moves to every control like the Tab key: the focus is visible, and no sticky element covers it. */
export async function auditFocus(page: Page, state: string) {
  // After this key press, the browser treats focus() like keyboard focus.
  await page.keyboard.press("Tab");
  for (const size of [DESK, PHONE]) {
    await page.setViewportSize(size);
    expect.soft(await page.evaluate(focusProblems), `${state}, focus at ${size.width} px`).toEqual([]);
  }
  await page.setViewportSize(DESK);
}

/** Runs in the page. */
function focusProblems(): string[] {
  const wrong: string[] = [];
  const controls =
    "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea, summary";
  for (const control of document.querySelectorAll<HTMLElement>(controls)) {
    if (!control.checkVisibility() || control.tabIndex < 0 || control.closest("[aria-hidden=true]")) continue;
    control.focus();
    const { outlineStyle, outlineWidth } = getComputedStyle(control);
    const name = control.outerHTML.slice(0, 150);
    if (document.activeElement !== control) wrong.push(`takes no focus: ${name}`);
    else if (outlineStyle === "none" || Number.parseFloat(outlineWidth) < 2)
      wrong.push(`no focus ring: ${name}`);
    const { left, top, width, height } = control.getBoundingClientRect();
    const isVisible = [0.1, 0.5, 0.9].some((part) => {
      const topElement = document.elementFromPoint(left + width / 2, top + height * part);
      return topElement !== null && (control.contains(topElement) || topElement.contains(control));
    });
    if (!isVisible) wrong.push(`hidden while focused: ${name}`);
  }
  return wrong;
}
