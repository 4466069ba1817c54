import type { Page } from "@playwright/test";
import { audit, PHONE, smallTargets } from "@/e2e/audit";
import { countEffort } from "@/e2e/count-effort";
import {
  button,
  chooseByLetter,
  DEMO,
  expect,
  expectNotification,
  makeAccount,
  signIn,
  test,
  uniqueName,
  waitUntilInteractive,
} from "@/e2e/fixtures";
import { pdfPages } from "@/e2e/pdf";
import { addDays, date, today } from "@/lib/core/text/format";

// Work that is no client's: events, outcome surveys, and their printed cards.

const entry = (page: Page) => page.getByRole("form", { name: "Record an event" });
const rowOf = (page: Page, title: string) =>
  page.getByRole("table", { name: "Events" }).getByRole("row").filter({ hasText: title });

/** Returns the only event with this title on a day. */
async function eventOn(page: Page, title: string, day: string) {
  const query = new URLSearchParams({ search: title, "filters[from]": day, "filters[to]": day });
  const { events } = await (await page.request.get(`/api/events?${query}`)).json();
  expect(events).toHaveLength(1);
  return events[0];
}

test("an event is recorded in one line by keyboard, again with few keys, and continued to the last session of a series", async ({
  page,
}) => {
  await signIn(page, DEMO.advocate);
  await page.goto("/events");
  await waitUntilInteractive(page);
  await expect(entry(page)).toContainText("No names of people who attended, not even in the title.");
  await audit(page, "events");
  const title = uniqueName("Healthy dating");
  const { words, effort } = await countEffort(page);
  const kind = entry(page).getByLabel("Kind");
  await kind.focus();
  await chooseByLetter(kind, "School p", words);
  await page.keyboard.press("Tab");
  await words(title);
  await page.keyboard.press("Tab");
  await chooseByLetter(entry(page).getByLabel("Audience"), "Y", words);
  await page.keyboard.press("Tab");
  await words("18");
  await page.keyboard.press("Tab");
  await words("1:30");
  await page.keyboard.press("Enter");
  await expect(entry(page).getByRole("status")).toHaveText(`Recorded: ${title}, 18 people`);
  expect(effort("an event").keys).toBeLessThanOrEqual(5);
  expect(await eventOn(page, title, today())).toMatchObject({
    audience: "youth",
    attended: 18,
    seriesId: null,
    staff: [{ minutes: 90 }],
  });

  // A week later it is held again: only the number who attended is typed, and the kind of session chosen.
  await page.goto(`/events?search=${encodeURIComponent(title)}`);
  await rowOf(page, title).getByRole("link", { name: "Again" }).click();
  await expect(entry(page).getByLabel("Title")).toHaveValue(title);
  await expect(entry(page).getByLabel("Attended")).toHaveValue("");
  await entry(page).getByLabel("This is").selectOption("Last session of the series");
  const sessions = entry(page).getByRole("list", { name: "Sessions of this series" });
  await expect(sessions.getByRole("listitem")).toHaveText([`${date(today())}18 people`]);
  await entry(page).getByLabel("This is").selectOption("Next session of the series");
  await entry(page)
    .getByRole("textbox", { name: "Date" })
    .fill(date(addDays(today(), -1)));
  await entry(page).getByLabel("Attended").fill("20");
  await page.keyboard.press("Enter");
  await expect(entry(page).getByRole("status")).toHaveText(`Recorded: ${title}, 20 people`);
  const first = await eventOn(page, title, today());
  expect(first.seriesId).toBe(first.id);
  expect((await eventOn(page, title, addDays(today(), -1))).seriesId).toBe(first.id);

  // The last session asks for the people of all sessions, and lists these.
  await page.goto(`/events?again=${first.id}`);
  await waitUntilInteractive(page);
  await entry(page).getByLabel("This is").selectOption("Last session of the series");
  const people = entry(page).getByLabel("How many different people in all sessions?");
  await expect(sessions.getByRole("listitem")).toHaveCount(2);
  await expect(sessions).toContainText("20 people");
  await audit(page, "the last session of a series");
  await entry(page)
    .getByRole("textbox", { name: "Date" })
    .fill(date(addDays(today(), -2)));
  await entry(page).getByLabel("Attended").fill("19");
  await people.fill("18");
  await page.keyboard.press("Enter");
  await expect(entry(page)).toContainText("must not be less than Attended");
  await people.fill("25");
  await page.keyboard.press("Enter");
  await expect(entry(page).getByRole("status")).toHaveText(`Recorded: ${title}, 19 people`);
  const last = await eventOn(page, title, addDays(today(), -2));
  expect(last).toMatchObject({ seriesId: first.id, seriesPeople: 25 });

  await page.goto(`/events/${last.id}/edit`);
  await expect(page.getByRole("list", { name: "Sessions of this series" })).toContainText("25 people in all");
  await audit(page, "an event of a series");
});

test("an event held again takes two keys besides the number who attended", async ({ page }) => {
  await signIn(page, DEMO.advocate);
  const title = uniqueName("Candlelight");
  const { eventKinds } = await (await page.request.get("/api/resource_lists/event_kinds")).json();
  const { userId } = await (await page.request.get("/api/me")).json();
  const event = {
    heldOn: "2024-02-05",
    eventKindId: eventKinds[0].id,
    title,
    audience: "general",
    attended: 7,
    staffAttributes: [{ userId, minutes: 45 }],
  };
  expect((await page.request.post("/api/events", { data: { event } })).status()).toBe(201);
  await page.goto(`/events?search=${title}`);
  await waitUntilInteractive(page);
  const again = rowOf(page, title).getByRole("link", { name: "Again" });
  await again.focus();
  const { words, effort } = await countEffort(page);
  await page.keyboard.press("Enter");
  await expect(entry(page).getByLabel("Title")).toHaveValue(title);
  await waitUntilInteractive(page);
  await expect(entry(page).getByLabel("Attended")).toBeFocused();
  await words("9");
  await page.keyboard.press("Enter");
  await page.waitForURL("/events");
  await expect(entry(page).getByRole("status")).toHaveText(`Recorded: ${title}, 9 people`);
  await expect(entry(page).getByLabel("Kind")).toBeFocused();
  expect(effort("an event again").keys).toBe(2);
  expect(await eventOn(page, title, today())).toMatchObject({ attended: 9, staff: [{ minutes: 45 }] });
});

test("an event held again shows the staff if a colleague was there, and leaves out a deactivated account", async ({
  page,
  database,
}) => {
  const email = `${uniqueName("colleague").toLowerCase()}@example.org`;
  await makeAccount(database, email, ["events"]);
  const [colleague] = (await database.query("SELECT id FROM users WHERE email = $1", [email])).rows;
  await signIn(page, DEMO.advocate);
  const { eventKinds } = await (await page.request.get("/api/resource_lists/event_kinds")).json();
  const { userId } = await (await page.request.get("/api/me")).json();
  const title = uniqueName("Police academy");
  const event = {
    heldOn: "2024-02-06",
    eventKindId: eventKinds[0].id,
    title,
    audience: "professionals",
    staffAttributes: [{ userId: colleague.id, minutes: 45 }],
  };
  const created = await page.request.post("/api/events", { data: { event } });
  expect(created.status()).toBe(201);
  const url = `/events?again=${(await created.json()).event.id}`;
  const staff = entry(page).getByRole("group", { name: "Staff" });
  await page.goto(url);
  await waitUntilInteractive(page);
  await expect(entry(page).getByLabel("Attended")).toBeFocused();
  await expect(staff.getByLabel("Name")).toHaveValue(String(colleague.id));
  await audit(page, "an event again with a colleague");

  // The account is deactivated while the page is open.
  await database.query("UPDATE users SET active = FALSE WHERE id = $1", [colleague.id]);
  await button(page, "Details").click();
  await expect(staff).toBeHidden();
  await button(page, "Record").click();
  await expect(staff).toContainText("must be a person with an active account");
  await expect(staff.getByLabel("Name")).toBeFocused();

  await page.goto(url);
  await waitUntilInteractive(page);
  await expect(staff).toBeHidden();
  await entry(page).getByLabel("Minutes").fill("30");
  await page.keyboard.press("Enter");
  await expect(entry(page).getByRole("status")).toHaveText(`Recorded: ${title}, 0 people`);
  expect(await eventOn(page, title, today())).toMatchObject({ staff: [{ userId, minutes: 30 }] });
});

test.describe("a stack of cards", () => {
  const pad = (page: Page) => page.getByRole("group", { name: "Cards" });
  const sums = (page: Page) => page.getByRole("table", { name: "Counted so far" });
  const surveysOf = async (page: Page) => {
    const { userId } = await (await page.request.get("/api/me")).json();
    const { outcomeSurveys } = await (
      await page.request.get(`/api/outcome_surveys?filters[userId]=${userId}`)
    ).json();
    return outcomeSurveys;
  };

  let email: string;
  test.beforeEach(async ({ page, database }) => {
    email = `${uniqueName("tally").toLowerCase()}@example.org`;
    await makeAccount(database, email, ["outcome-surveys"]);
    await signIn(page, email);
    await page.goto("/outcome_surveys");
    await waitUntilInteractive(page);
  });

  test("of fifty takes one key for each answer, is still there after a reload, and is saved once", async ({
    page,
  }) => {
    await audit(page, "an empty tally");
    const { effort } = await countEffort(page);
    await pad(page).focus();
    const begun = performance.now();
    for (let card = 0; card < 50; card++)
      for (const key of [card % 5 === 0 ? "n" : "y", card % 10 === 0 ? "-" : "y"])
        await page.keyboard.press(key);
    console.log(`fifty cards: ${((performance.now() - begun) / 1000).toFixed(1)} s of key presses`);
    await expect(pad(page).getByRole("status")).toHaveText("Card 51");
    expect(effort("fifty cards").keys).toBe(100);
    const first = sums(page).getByRole("row").nth(1);
    const second = sums(page).getByRole("row").nth(2);
    await expect(first.getByRole("cell").nth(1)).toHaveText("40");
    await expect(first.getByRole("cell").nth(2)).toHaveText("10");
    await expect(second.getByRole("cell").nth(1)).toHaveText("45");
    await expect(second.getByRole("cell").nth(2)).toHaveText("0");

    // Backspace takes a half card back, then the last card.
    await page.keyboard.press("n");
    await page.keyboard.press("Backspace");
    await expect(pad(page).getByRole("status")).toHaveText("Card 51");
    await page.keyboard.press("Backspace");
    await expect(pad(page).getByRole("status")).toHaveText("Card 50");
    await page.keyboard.press("y");
    await page.keyboard.press("y");
    await audit(page, "a tally of fifty cards");

    await page.getByLabel("Kind of Service").first().selectOption("Counseling");
    await page.reload();
    await waitUntilInteractive(page);
    await expect(pad(page).getByRole("status")).toHaveText("Card 51");
    await expect(page.getByLabel("Kind of Service").first()).toHaveValue("counseling");
    await button(page, "Save").click();
    await expectNotification(page, "Recorded 50 cards");
    await expect(pad(page)).toBeFocused();
    await expect(pad(page).getByRole("status")).toHaveText("Card 1");
    await page.reload();
    await expect(pad(page).getByRole("status")).toHaveText("Card 1");
    const surveys = await surveysOf(page);
    expect(surveys).toHaveLength(1);
    expect(surveys[0]).toMatchObject({ serviceKind: "counseling", completed: 50, countedOn: today() });
    const answers = surveys[0].answers.map(({ yes, no }: { yes: number; no: number }) => [yes, no]);
    expect(answers.toSorted()).toEqual([
      [40, 10],
      [45, 0],
    ]);
  });

  test("keeps the card that is being read over a reload, in another tab, and when the other cards are saved", async ({
    page,
    context,
  }) => {
    const expectStep = (tab: Page, at: number) =>
      expect(pad(tab).getByRole("listitem").nth(at)).toHaveAttribute("aria-current", "step");
    await pad(page).focus();
    await page.keyboard.press("y");
    await expectStep(page, 1);
    await page.reload();
    await waitUntilInteractive(page);
    await expect(pad(page)).toBeFocused();
    await expectStep(page, 1);
    for (const key of "ny") await page.keyboard.press(key);
    await expect(pad(page).getByRole("status")).toHaveText("Card 2");

    const other = await context.newPage();
    await other.goto("/outcome_surveys");
    await waitUntilInteractive(other);
    await expectStep(other, 1);
    await button(other, "Take back the last card").click();
    await expectStep(page, 0);
    await button(other, "No").click();
    await expectStep(page, 1);
    await button(page, "Save").click();
    await expectNotification(page, "Recorded 1 card");
    await expect(pad(page).getByRole("status")).toHaveText("Card 1");
    await expectStep(page, 1);
    await page.keyboard.press("y");
    await expect(sums(page).getByRole("row").nth(1).getByRole("cell").nth(2)).toHaveText("1");
  });

  test("that is counted in one tab is not saved again in another one", async ({ page, context }) => {
    await pad(page).focus();
    for (const key of "yynn") await page.keyboard.press(key);
    const other = await context.newPage();
    await other.goto("/outcome_surveys");
    await waitUntilInteractive(other);
    await expect(pad(other).getByRole("status")).toHaveText("Card 3");
    for (const answer of ["Yes", "Yes"]) await button(other, answer).click();
    await expect(pad(page).getByRole("status")).toHaveText("Card 4");
    await button(other, "Save").click();
    await expectNotification(other, "Recorded 3 cards");
    await expect(pad(page).getByRole("status")).toHaveText("Card 1");
    await expect(button(page, "Save")).toBeDisabled();
    expect(await surveysOf(page)).toMatchObject([{ completed: 3 }]);
  });

  test("is kept when the session ends or its date is wrong, and is saved once after both are corrected", async ({
    page,
  }) => {
    await pad(page).focus();
    for (const key of "yyyn") await page.keyboard.press(key);
    await page.context().clearCookies();
    await button(page, "Save").click();
    await expect(page.getByRole("heading", { name: "Login" })).toBeVisible();
    await signIn(page, email);
    await page.goto("/outcome_surveys");
    await waitUntilInteractive(page);
    await expect(pad(page).getByRole("status")).toHaveText("Card 3");

    const day = page.getByRole("textbox", { name: "Date" }).first();
    await day.fill("13/40/2026");
    await button(page, "Save").click();
    await expect(day).toHaveAttribute("aria-invalid", "true");
    await expect(day).toBeFocused();
    await audit(page, "a tally with a wrong date");
    await day.fill("");
    await page.reload();
    await waitUntilInteractive(page);
    await expect(pad(page).getByRole("status")).toHaveText("Card 3");
    await day.fill(date(today()));
    await button(page, "Save").click();
    await expectNotification(page, "Recorded 2 cards");
    expect(await surveysOf(page)).toMatchObject([{ completed: 2, countedOn: today() }]);
  });

  test("is tapped with a thumb on a phone", async ({ page }) => {
    await page.setViewportSize(PHONE);
    for (const answer of ["Yes", "No", "Yes", "Yes"]) await button(page, answer).click();
    await expect(pad(page).getByRole("status")).toHaveText("Card 3");
    expect(await smallTargets(pad(page))).toEqual([]);
    await button(page, "Take back the last card").click();
    await expect(pad(page).getByRole("status")).toHaveText("Card 2");
    await button(page, "Save").click();
    await expectNotification(page, "Recorded 1 card");
    expect(await surveysOf(page)).toMatchObject([{ completed: 1 }]);
  });

  test("that someone has counted already is typed as numbers", async ({ page }) => {
    const form = page.getByRole("form", { name: "Record an outcome survey" });
    // The focus is not lost with the pressed button.
    await button(page, "Type the numbers").press("Enter");
    await expect(form.locator(":focus")).toHaveCount(1);
    await button(page, "Tally a stack of cards").press("Enter");
    await expect(pad(page)).toBeFocused();
    await button(page, "Type the numbers").click();
    await form.getByLabel("Kind of Service").selectOption("Advocacy");
    await form.getByLabel("Cards").fill("12");
    await button(page, "Details").click();
    await form.getByLabel("Yes").first().fill("9");
    await form.getByLabel("No", { exact: true }).first().fill("4");
    await page.keyboard.press("Enter");
    await expect(form).toContainText("must not be more than the cards together");
    await audit(page, "an outcome survey with too many answers");
    await form.getByLabel("No", { exact: true }).first().fill("3");
    await page.keyboard.press("Enter");
    await expect(form.getByRole("status")).toContainText("Recorded:");
    expect(await surveysOf(page)).toMatchObject([{ completed: 12, serviceKind: "advocacy" }]);
  });
});

test("a printed report has the share of yes answers, and how many clients could have answered", async ({
  page,
}) => {
  await signIn(page, DEMO.administrator);
  const { outcomeQuestions } = await (
    await page.request.get("/api/outcome_questions?search=ways+to+plan")
  ).json();
  const outcomeSurvey = {
    countedOn: "2023-02-06",
    serviceKind: "support_group",
    completed: 5,
    answersAttributes: [{ outcomeQuestionId: outcomeQuestions[0].id, yes: 3, no: 1 }],
  };
  expect((await page.request.post("/api/outcome_surveys", { data: { outcomeSurvey } })).status()).toBe(201);
  await page.goto("/reports/fvpsa?from=2023-01-01&to=2023-03-31");
  await expect(page.getByRole("table", { name: "Outcome surveys" })).toBeVisible();
  const text = pdfPages(await page.pdf({ format: "Letter" }))
    .join(" ")
    .replaceAll(/\s+/g, " ");
  expect(text).toContain("75% of those who answered (3 of 4). 0 clients could have answered.");
  expect(text).not.toContain("The yes answers on these cards");
});

test("outcome cards are printed four to a page in English and Spanish, and name the organization only if chosen", async ({
  page,
  database,
}) => {
  await signIn(page, DEMO.advocate);
  await page.goto("/outcome_surveys");
  await page.getByRole("link", { name: "Print Cards" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Print Cards" })).toBeVisible();
  await waitUntilInteractive(page);
  await page.getByLabel("Kind of Service").selectOption("Support group");
  const printed = async (format: "Letter" | "A4") => {
    const pages = pdfPages(await page.pdf({ format }));
    expect(pages, format).toHaveLength(1);
    return pages[0]?.replaceAll(/\s+/g, " ") ?? "";
  };
  const timesIn = (text: string, words: string) => text.split(words).length - 1;
  /** Returns the cards whose text ends below the space that is left to cut. */
  const cut = () =>
    page
      .getByRole("list", { name: "Cards" })
      .locator("> li")
      .evaluateAll((cards) =>
        cards.filter((card) => {
          const { bottom } = card.lastElementChild?.getBoundingClientRect() ?? { bottom: 0 };
          return (
            bottom >
            card.getBoundingClientRect().bottom - Number.parseFloat(getComputedStyle(card).paddingBottom)
          );
        }),
      );
  for (const format of ["Letter", "A4"] as const) {
    const text = await printed(format);
    for (const words of ["How did we do?", "Support group", "more ways to plan", "Thank you!"])
      expect(timesIn(text, words), words).toBe(4);
    expect(text).not.toContain("Victim Services");
    expect(text).not.toContain("Page 1");
  }
  await audit(page, "outcome cards");

  await button(page, "Spanish").click();
  await page.getByLabel("With the organization’s name").check();
  const spanish = await printed("Letter");
  for (const words of ["¿Cómo lo hicimos?", "Grupo de apoyo", "planear mi seguridad", "¡Gracias!"])
    expect(timesIn(spanish, words), words).toBe(4);
  await expect(page.getByRole("list", { name: "Cards" }).locator("[lang=es]")).toHaveCount(4);

  // A question without words in Spanish is named, and is on English cards only.
  const question = uniqueName("The rooms were clean");
  await database.query("INSERT INTO outcome_questions (name) VALUES ($1)", [question]);
  try {
    await page.reload();
    await waitUntilInteractive(page);
    expect(timesIn(await printed("Letter"), question)).toBe(4);
    await button(page, "Spanish").click();
    const notice = page.getByRole("region", { name: /words in Spanish are missing/ });
    await expect(notice).toContainText(question);
    expect(await printed("A4")).not.toContain(question);
    await audit(page, "outcome cards with a question that is not in Spanish");

    // Five long questions with the name of the organization are in small print, and not cut.
    await database.query(
      `INSERT INTO outcome_questions (name, spanish) SELECT $1 || ' ' || words, words
       FROM unnest(ARRAY['El personal y las personas voluntarias me trataron con respeto.',
         'La persona que me apoyó me explicó mis derechos y mis opciones con palabras que entendí.',
         'Volvería, o recomendaría este lugar a una amistad, si otra vez hiciera falta ayuda.']) AS words`,
      [question],
    );
    await page.reload();
    await waitUntilInteractive(page);
    await button(page, "Spanish").click();
    await page.getByLabel("With the organization’s name").check();
    for (const format of ["Letter", "A4"] as const) {
      const text = await printed(format);
      for (const words of ["trataron con respeto", "hiciera falta ayuda", "¡Gracias!"])
        expect(timesIn(text, words), words).toBe(4);
    }
    expect(await cut()).toEqual([]);
  } finally {
    await database.query("DELETE FROM outcome_questions WHERE starts_with(name, $1)", [question]);
  }
});
