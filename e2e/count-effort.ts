import type { Page } from "@playwright/test";
import { expect, expectNotification, test, waitUntilInteractive } from "@/e2e/fixtures";

/** The input so far: clicks, and keys without typed text. */
type Effort = { clicks: number; keys: number };

/**
 * Counts the clicks and keys that reach the page from now on, across page loads, by the page's own events. A
 * held Shift or Ctrl does not count as a key. `words` types text whose keys do not count. `effort` prints the
 * counts under the name `task`.
 */
export async function countEffort(
  page: Page,
): Promise<{ words: (text: string) => Promise<void>; effort: (task: string) => Effort }> {
  let clicks = 0;
  let keys = 0;
  let typed = 0;
  await page.exposeFunction("countInput", (type: string) => {
    if (type === "keydown") keys += 1;
    else clicks += 1;
  });
  const listen = () => {
    const { countInput } = window as unknown as { countInput: (type: string) => void };
    window.addEventListener(
      "keydown",
      ({ key }) => {
        if (!["Control", "Shift", "Alt", "Meta"].includes(key)) countInput("keydown");
      },
      true,
    );
    // Not `click`, which Enter on a link or button causes too.
    window.addEventListener("pointerdown", () => countInput("pointerdown"), true);
  };
  await page.addInitScript(listen);
  await page.evaluate(listen);
  return {
    async words(text) {
      typed += text.length;
      await page.keyboard.type(text);
    },
    effort(task) {
      const effort = { clicks, keys: keys - typed };
      // A page that counted nothing would pass every limit.
      expect(clicks + keys, task).toBeGreaterThan(0);
      expect(effort.keys, task).toBeGreaterThanOrEqual(0);
      console.log(`${task}: ${effort.clicks} clicks, ${effort.keys} keys beside ${typed} letters of words`);
      test.info().annotations.push({ type: task, description: JSON.stringify(effort) });
      return effort;
    },
  };
}

/** Creates a Phone form for a new client with one service, from a list, by keyboard only. */
export async function writePhoneForm(page: Page, client: string, words: (text: string) => Promise<void>) {
  await waitUntilInteractive(page);
  await page.keyboard.press("n");
  await expect(page.getByLabel("Client Name *")).toBeFocused();
  await words(client);
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("Form Type *")).toBeFocused();
  await page.keyboard.press("p");
  await expect(page.getByLabel("Minutes for CRISIS", { exact: true })).toBeVisible();
  const status = page.getByLabel("Service Status *");
  for (let tabs = 0; tabs < 4; tabs++) {
    if (await status.evaluate((select) => select === document.activeElement)) break;
    await page.keyboard.press("Tab");
  }
  await expect(status).toBeFocused();
  await page.keyboard.press("s");
  await page.keyboard.press("Control+m");
  await expect(page.getByLabel("Filter codes")).toBeFocused();
  await words("crisis");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Minutes for CRISIS", { exact: true })).toBeFocused();
  await words("30");
  await page.keyboard.press("Control+s");
  await expect(page).toHaveURL(/\/forms$/);
  await expectNotification(page, "Created form successfully");
}
