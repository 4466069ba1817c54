import { Firefox } from "@/e2e/firefox";
import { test as base, DEMO, expect, uniqueName, untilReactListens } from "@/e2e/fixtures";
import {
  DIALOG_PRESSES,
  formPresses,
  LOGIN_PRESSES,
  lostPresses,
  type Presser,
  withOwnNumber,
} from "@/e2e/presses";

// The way of an advocate through Firefox. What is the same in all browsers is tested in Chromium.

const test = base.extend<{ firefox: Firefox }>({
  // They would open a page of Chromium.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from this pattern which fixtures it needs.
  pageErrors: async ({}, use) => use(undefined),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  answers: async ({}, use) => use(undefined),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  firefox: async ({}, use) => {
    const firefox = await Firefox.start();
    await use(firefox).finally(() => firefox.stop());
    expect(firefox.errors).toEqual([]);
  },
});

/** Waits until an element shows the text. */
const shows = (firefox: Firefox, selector: string, text: string) =>
  firefox.until(
    (query, wanted) =>
      [...document.querySelectorAll(query)].some((element) => element.textContent?.includes(wanted)),
    selector,
    text,
  );
const enteredIn = (firefox: Firefox, selector: string) =>
  firefox.evaluate((query) => document.querySelector<HTMLInputElement>(query)?.value, selector);

test("in Firefox, an advocate loses no press, types into masks, is asked on Back, and loses no word", async ({
  firefox,
  server,
  request,
}) => {
  const open = async (path: string) => {
    await firefox.goto(server.url + path);
    await firefox.evaluate(untilReactListens);
  };
  const presser: Presser = {
    goto: open,
    press: (selector) => firefox.press(selector),
    evaluate: (work, ...args) => firefox.evaluate(work, ...args),
    until: (work, ...args) => firefox.until(work, ...args),
  };

  expect(await lostPresses(presser, LOGIN_PRESSES, { once: true })).toEqual([]);
  await open("/");
  await firefox.press("input[type=email]");
  await firefox.type(DEMO.administrator);
  await firefox.keys("Tab");
  await firefox.type(DEMO.password);
  await firefox.press("button[type=submit]");
  await firefox.until(() => window.location.pathname === "/forms");
  const lost = await withOwnNumber(request, (key) =>
    lostPresses(presser, [...formPresses(key), ...DIALOG_PRESSES], { once: true }),
  );
  expect(lost).toEqual([]);

  // Before another document, Firefox itself asks.
  await open("/clients");
  await firefox.press("main a[href^='/clients/new']");
  await firefox.press("#field-clientBiographicalEntry-phoneNumber");
  await firefox.type("7175550142");
  await firefox.keys("Tab");
  expect(await enteredIn(firefox, "#field-clientBiographicalEntry-phoneNumber")).toBe("(717) 555-0142");
  await firefox.press("#field-clientBiographicalEntry-dateOfBirth");
  await firefox.type("03141985");
  await firefox.keys("Tab");
  expect(await enteredIn(firefox, "#field-clientBiographicalEntry-dateOfBirth")).toBe("03/14/1985");
  await firefox.back();
  await shows(firefox, "[role=dialog]", "Leave without saving?");
  await firefox.keys("Escape");
  await firefox.until(() => document.querySelector("[role=dialog]") === null);

  await firefox.press("#field-clientBiographicalEntry-city");
  await firefox.type("Harris");
  // Again, if the presses were too far apart on a busy machine.
  await expect(async () => {
    await firefox.keys("Escape", "Escape");
    expect(await firefox.evaluate(() => document.querySelector("[data-session-lock]") !== null)).toBe(true);
  }).toPass();
  await firefox.until(() => document.activeElement?.matches("[data-session-lock] [type=password]"));
  // Firefox would close the dialog, too.
  await firefox.keys("Escape", "Escape");
  await firefox.type(DEMO.password);
  await firefox.keys("Enter");
  await firefox.until(() => document.querySelector("[data-session-lock]") === null);
  await firefox.type("burg");
  expect(await enteredIn(firefox, "#field-clientBiographicalEntry-city")).toBe("Harrisburg");
  expect(await enteredIn(firefox, "#field-clientBiographicalEntry-dateOfBirth")).toBe("03/14/1985");

  const name = uniqueName("Drafted In Firefox");
  await open("/forms/new?formTypeId=5");
  await firefox.press("#field-client-name");
  await firefox.type(name);
  await shows(firefox, "main .sticky p", "Draft saved");
  await open("/forms/new");
  await shows(firefox, "main", "Unsaved draft");
  await firefox.press("main a[href*='draft=']");
  await firefox.until(
    (wanted) => document.querySelector<HTMLInputElement>("#field-client-name")?.value === wanted,
    name,
  );

  await open("/forms");
  const exportButton = "main button[popovertarget]:has(+ [popover] a[download])";
  await firefox.press(exportButton);
  // The first press closes the menu, and the second alone does not hide the screen.
  await firefox.keys("Escape", "Escape");
  await firefox.press(exportButton);
  await firefox.press("main a[download][href*='.csv']");
  await expect.poll(() => firefox.downloaded()).toEqual([expect.stringMatching(/^forms.*\.csv$/)]);
});
