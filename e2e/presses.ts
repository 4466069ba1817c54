// Presses of 100 ms, as people make them, in a moment in which a field turns red: in each browser of the tests.

import { type APIRequestContext, expect } from "@playwright/test";
import { DEMO, uniqueName } from "@/e2e/fixtures";

/** A tab of a browser, as far as presses need it. */
export interface Presser {
  goto(path: string): Promise<void>;
  /** Presses the main button of the mouse on the element for 100 ms. */
  press(selector: string): Promise<void>;
  /** Calls the function in the page with these JSON values. */
  evaluate<Arguments extends unknown[], Result>(
    work: (...args: Arguments) => Result,
    ...args: Arguments
  ): Promise<Awaited<Result>>;
  /** Waits until the function returns true in the page. */
  until<Arguments extends unknown[]>(
    work: (...args: Arguments) => boolean,
    ...args: Arguments
  ): Promise<unknown>;
}

interface Field {
  selector: string;
  /** A value that the field refuses when it loses the focus, and one that it accepts. */
  wrong: string;
  right: string;
}

/** A page by its path, with fields and controls by their kinds. */
interface Presses {
  path: string;
  /** Pressed one after the other on the loaded page, until the fields are there. */
  opening?: string[];
  fields: Record<string, Field>;
  controls: Record<string, string>;
}

/** Calls `use` with the key of a custom field for a number, which all forms have meanwhile. */
export async function withOwnNumber<Result>(
  request: APIRequestContext,
  use: (key: string) => Promise<Result>,
): Promise<Result> {
  const login = { email: DEMO.administrator, password: DEMO.password };
  expect((await request.post("/api/login", { data: login })).status()).toBe(200);
  const field = { record: "form", section: "", label: uniqueName("Pressed Number"), kind: "number" };
  const created = await request.post("/api/fields", { data: { field } });
  expect(created.status()).toBe(201);
  const { id, key } = (await created.json()).field;
  return await use(key).finally(() => request.delete(`/api/fields/${id}`));
}

/** The fields and controls of the form screen, with a custom field for a number by its key. */
export const formPresses = (custom: string): Presses[] => [
  {
    path: "/forms/new?formTypeId=2",
    fields: {
      "required text": { selector: "#field-client-name", wrong: "", right: "Pressed Client" },
      date: { selector: "#field-form-serviceOn", wrong: "02/30/2026", right: "02/20/2026" },
      minutes: { selector: "[data-minutes]", wrong: "-5", right: "5" },
      select: { selector: "#field-form-serviceStatus", wrong: "", right: "Served" },
      phone: {
        selector: "#field-client-clientBiographicalEntry-phoneNumber",
        wrong: "no number",
        right: "(717) 555-0142",
      },
      custom: { selector: `#field-form-custom-${custom}`, wrong: "many", right: "3" },
    },
    controls: {
      Save: "main button[type=submit]",
      Cancel: "main a.button[href='/forms']",
      Print: "main .sticky button[type=button]",
      calendar: "button[aria-label='Choose Service On']",
      checkbox: "#field-form-verbalConfirmation",
      select: "#field-form-canineId",
      "link in the header": "header a[href^='/help']",
      "link in the menu": "#sidebar a[href='/clients']",
      "link to a section": "#sections li:last-child a",
      disclosure: "#services-table summary",
      "button of a row": "#services-table tbody tr:last-child button",
    },
  },
  {
    path: "/forms/new?formTypeId=2",
    opening: ["#field-useExistingClient"],
    fields: { combobox: { selector: "main input[role=combobox]", wrong: "Nobody", right: "" } },
    controls: { Save: "main button[type=submit]", checkbox: "#field-useExistingClient" },
  },
];

export const DIALOG_PRESSES: Presses[] = [
  {
    path: "/shelter",
    opening: ["main button[title^='Move in']"],
    fields: { number: { selector: "#field-adults", wrong: "many", right: "1" } },
    controls: { "button in a dialog": "[role=dialog] button[type=submit]" },
  },
];

export const LOGIN_PRESSES: Presses[] = [
  {
    path: "/",
    fields: {
      email: { selector: "input[type=email]", wrong: "no address", right: "someone@example.org" },
      password: { selector: "input[name=password]", wrong: "", right: "any" },
    },
    controls: {
      "Sign In": "button[type=submit]",
      "Forgot Password": "a[href='/forgot_password']",
      "Show the password": "button[aria-pressed]",
    },
  },
];

type Clicked = Window & { clicked?: string };

/**
 * Returns the presses that were lost, in words. Each must turn a field red, so that it could have been lost. Presses each
 * control after each field; with `once`, each control after one of the fields.
 */
export async function lostPresses(
  tab: Presser,
  pages: Presses[],
  { once = false }: { once?: boolean } = {},
): Promise<string[]> {
  const lost: string[] = [];
  for (const { path, opening = [], fields, controls } of pages) {
    await tab.goto(path);
    for (const selector of opening) await tab.press(selector);
    const kinds = Object.entries(fields);
    for (const [index, [control, selector]] of Object.entries(controls).entries()) {
      const after = once ? kinds.filter((_, at) => at === index % kinds.length) : kinds;
      for (const [kind, field] of after) {
        await turnsRed(tab, field, selector);
        if (!(await tab.evaluate((pressed) => (window as Clicked).clicked === pressed, selector)))
          lost.push(`${path}: ${control} after ${kind}`);
      }
    }
  }
  return lost;
}

/** Enters a wrong value into a field that was right, and presses the control, which then has turned the field red. */
async function turnsRed(tab: Presser, { selector, wrong, right }: Field, control: string): Promise<void> {
  const enter = (query: string, value: string) => {
    const field = document.querySelector<HTMLInputElement>(query);
    if (!field) throw new Error(`No ${query}`);
    field.scrollIntoView({ block: "center", behavior: "instant" });
    field.focus({ preventScroll: true });
    // React notices only what the browser's own setter has changed.
    const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value");
    own?.set?.call(field, value);
    for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
  };
  await tab.until((query) => document.querySelector(`${query}:enabled`) !== null, selector);
  await tab.evaluate(enter, selector, right);
  await tab.evaluate((query) => document.querySelector<HTMLElement>(query)?.blur(), selector);
  if (right !== "") await tab.until((query) => !document.querySelector(`${query}[aria-invalid]`), selector);
  await tab.evaluate(enter, selector, wrong);
  await tab.evaluate((pressed) => {
    const clicked = window as Clicked;
    clicked.clicked = "";
    window.addEventListener(
      "click",
      (event) => {
        if (event.target instanceof Element && event.target.closest(pressed)) clicked.clicked = pressed;
        // The page stays as it is for the next press.
        event.preventDefault();
        event.stopPropagation();
      },
      { capture: true, once: true },
    );
  }, control);
  await tab.press(control);
  await tab.until((query) => document.querySelector(`${query}[aria-invalid]`) !== null, selector);
}
