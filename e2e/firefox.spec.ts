import { Firefox } from "@/e2e/firefox";
import { test as base, DEMO, expect, untilReactListens } from "@/e2e/fixtures";
import { lostPresses } from "@/e2e/presses";

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

test("in Firefox, an advocate signs in, loses no press, types into masks, and is asked on Back", async ({
  firefox,
  server,
}) => {
  const open = async (path: string) => {
    await firefox.goto(server.url + path);
    await firefox.evaluate(untilReactListens);
  };

  await open("/");
  await firefox.press("input[name='login.email'], input[name=email]");
  await firefox.type("no address");
  await firefox.press("a[href='/forgot_password']");
  await firefox.until(() => window.location.pathname === "/forgot_password");
  await open("/");
  await firefox.press("input[type=email], input[name$=email]");
  await firefox.type(DEMO.administrator);
  await firefox.keys("Tab");
  await firefox.type(DEMO.password);
  await firefox.press("button[type=submit]");
  await firefox.until(() => window.location.pathname === "/forms");

  const lost = await lostPresses({
    goto: open,
    keys: (...names) => firefox.keys(...names),
    press: (selector) => firefox.press(selector),
    evaluate: (work, selector) => firefox.evaluate(work, selector),
    until: (work, selector) => firefox.until(work, selector),
  });
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
  expect(await enteredIn(firefox, "#field-clientBiographicalEntry-dateOfBirth")).toBe("03/14/1985");
});
