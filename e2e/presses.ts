// Presses of 100 ms, as people make them, in a moment in which a field turns red: in each browser of the tests.

/** A tab of a browser, as far as presses need it. */
export interface Presser {
  goto(path: string): Promise<void>;
  /** Presses keys one after the other. */
  keys(...names: string[]): Promise<void>;
  /** Presses the main button of the mouse on the element for 100 ms. */
  press(selector: string): Promise<void>;
  evaluate<Result>(work: (selector: string) => Result, selector: string): Promise<Awaited<Result>>;
  /** Waits until `work` returns true. */
  until(work: (selector: string) => boolean, selector: string): Promise<unknown>;
}

/** Controls that are pressed while a field of the page has the focus and will turn red. */
export const PRESSES: {
  path: string;
  field: string;
  /** Keys that make the field's value wrong; those in `right` correct it. */
  wrong: string[];
  right: string[];
  controls: string[];
}[] = [
  {
    path: "/forms/new?type=1",
    field: "#field-client-name",
    wrong: ["End", "Backspace"],
    right: ["x"],
    controls: [
      "#field-form-verbalConfirmation",
      "#field-client-relationshipToSurvivor",
      "button[aria-label='Choose Service On']",
      "main .sticky button[type=button]",
      "main a.button[href='/forms']",
      "main button[type=submit]",
    ],
  },
  {
    path: "/clients/new",
    field: "#field-name",
    wrong: ["End", "Backspace"],
    right: ["x"],
    controls: [
      "#field-clientDemographicEntry-lgbt",
      "main a.button[href='/clients']",
      "main button[type=submit]",
    ],
  },
];

type Clicked = Window & { clicked?: string };

/** Returns the presses that were lost, in words. Each must turn the field red, so that it could have been lost. */
export async function lostPresses(tab: Presser, presses = PRESSES): Promise<string[]> {
  const lost: string[] = [];
  for (const { path, field, wrong, right, controls } of presses) {
    await tab.goto(path);
    for (const control of controls) {
      await focus(tab, field);
      await tab.keys(...right);
      await tab.evaluate((selector) => document.querySelector<HTMLElement>(selector)?.blur(), field);
      await tab.until((selector) => !document.querySelector(`${selector}[aria-invalid]`), field);
      await focus(tab, field);
      await tab.keys(...wrong);
      await tab.evaluate((selector) => {
        const clicked = window as Clicked;
        clicked.clicked = "";
        window.addEventListener(
          "click",
          (event) => {
            if (event.target instanceof Element && event.target.closest(selector)) clicked.clicked = selector;
            // The page stays as it is for the next press.
            event.preventDefault();
            event.stopPropagation();
          },
          { capture: true, once: true },
        );
      }, control);
      await tab.press(control);
      await tab.until((selector) => document.querySelector(`${selector}[aria-invalid]`) !== null, field);
      if (!(await tab.evaluate((selector) => (window as Clicked).clicked === selector, control)))
        lost.push(`${path}: ${control}`);
    }
  }
  return lost;
}

async function focus(tab: Presser, field: string): Promise<void> {
  await tab.until((selector) => document.querySelector(`${selector}:enabled`) !== null, field);
  await tab.evaluate((selector) => document.querySelector<HTMLElement>(selector)?.focus(), field);
}
