import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { answersProblems } from "@/lib/outcomes/answers";
import { cardSize } from "@/lib/outcomes/cards";
import {
  type AnswerLetter,
  answered,
  CARDS_MAX,
  countedAnswers,
  NO_CARDS,
  nextQuestion,
  reordered,
  takenBack,
} from "@/lib/outcomes/tally";
import { keepDraft, openDraft, surveyCreation } from "@/lib/outcomes/tally-draft";

const QUESTIONS = 2;
/** Returns the state after these keys; `<` takes back. */
const stateAfter = (keys: string) =>
  [...keys].reduce(
    (state, key) => (key === "<" ? takenBack(state) : answered(state, key as AnswerLetter, QUESTIONS)),
    NO_CARDS,
  );

describe("a tally of cards with two questions", () => {
  test.each([
    ["", [], ""],
    ["y", [], "y"],
    ["yn", ["yn"], ""],
    ["yn-y", ["yn", "-y"], ""],
    ["yn-", ["yn"], "-"],
    ["yn-<", ["yn"], ""],
    ["yn-y<", ["yn"], ""],
    ["yn<<", [], ""],
  ])("after the keys %j has the cards %j and the answers %j of the next one", (keys, cards, current) => {
    expect(stateAfter(keys)).toEqual({ cards, current });
  });

  test("counts yes and no of each question, and no answer in neither", () => {
    expect(countedAnswers(stateAfter("yyyn-nny--").cards, QUESTIONS)).toEqual([
      { yes: 2, no: 1 },
      { yes: 2, no: 2 },
    ]);
  });

  test.each([
    ["in another order", [12, 11], ["ny"], " n", 0],
    ["and an added one", [11, 13, 12], ["y-n"], "n", 1],
    ["and an added first one", [13, 11, 12], ["-yn"], " n", 0],
    ["of which the first one was retired", [12], ["n"], "", 0],
    ["of which the second one was retired", [11], ["y", "n"], "", 0],
    ["replaced by others", [13, 14], ["--"], "", 0],
  ])("has its answers, and those of a half card, by question %s", (_, now, cards, current, next) => {
    const moved = reordered(stateAfter("ynn"), [11, 12], now);
    expect(moved).toEqual({ cards, current });
    expect(nextQuestion(moved.current)).toBe(next);
  });

  test("asks for the answer to an added question on the card that is being read, then ends it", () => {
    const moved = reordered(stateAfter("n"), [11, 12], [13, 11, 12]);
    const once = answered(moved, "y", 3);
    expect(once).toEqual({ cards: [], current: "yn" });
    expect(answered(once, "-", 3)).toEqual({ cards: ["yn-"], current: "" });
  });

  test("ends with as many cards as a survey can have", () => {
    const { cards } = stateAfter("yn".repeat(CARDS_MAX + 1));
    expect(cards).toHaveLength(CARDS_MAX);
  });
});

test.each([
  [10, [{ yes: 6, no: 4 }], []],
  [10, [{ yes: 6, no: 5 }], ["answers.0.no"]],
  [
    1,
    [
      { yes: 0, no: 1 },
      { yes: 2, no: 0 },
    ],
    ["answers.1.no"],
  ],
])("of %i cards, the answers %j have problems at %j", (cards, answers, paths) => {
  expect(Object.keys(answersProblems(cards, answers))).toEqual(paths);
});

describe("a draft of a tally, with a server that loses responses", () => {
  const USER = 4;
  const IDS = [11, 12];
  const body = (completed: number, serviceKind = "shelter") => ({ completed, serviceKind });
  const draftOf = (cards: string[]) => ({
    questionIds: IDS,
    cards,
    current: "",
    serviceKind: "shelter",
    countedOn: "11/28/2026",
  });
  type Call = { method: string; path: string; key: string | null; body: object };
  let calls: Call[];
  let replies: ("lost" | number)[];
  let saved: object[];

  beforeEach(() => {
    const stored = new Map<string, string>();
    calls = [];
    replies = [];
    saved = [];
    vi.stubGlobal("localStorage", {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, text: string) => stored.set(name, text),
      removeItem: (name: string) => stored.delete(name),
    });
    vi.stubGlobal("fetch", async (path: string, { method = "", headers, body }: RequestInit) => {
      const key = new Headers(headers).get("idempotency-key");
      calls.push({ method, path, key, body: JSON.parse(String(body)).outcomeSurvey });
      const reply = replies.shift() ?? 200;
      if (reply === "lost") throw new TypeError("network");
      return Response.json({ outcomeSurvey: { id: 7, answers: saved } }, { status: reply });
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  const sent = () => calls.map(({ method, path, body }) => [method, path, body]);
  const question = (id: number) => ({ id, name: `Question ${id}` });
  const open = (ids: readonly number[], retired: readonly number[] = []) =>
    openDraft(USER, [...ids.map(question), ...retired.map((id) => ({ ...question(id), active: false }))]);
  const reopened = () => surveyCreation(USER, open(IDS).draft?.open);

  test.each([
    ["more cards", body(25)],
    ["another kind", body(20, "counseling")],
  ])("updates the survey with %s when the response to its creation was lost", async (_, corrected) => {
    replies = ["lost"];
    const create = surveyCreation(USER);
    await expect(create(body(20))).rejects.toThrow();
    await create(corrected);
    expect(sent()).toEqual([
      ["POST", "/api/outcome_surveys", body(20)],
      ["POST", "/api/outcome_surveys", body(20)],
      ["PUT", "/api/outcome_surveys/7", corrected],
    ]);
    expect(calls[1]?.key).toBe(calls[0]?.key);
  });

  test("repeats the request under its key after a reload, with the same cards or with more", async () => {
    for (const completed of [20, 25]) {
      calls = [];
      replies = ["lost"];
      keepDraft(USER, draftOf(["yn", "y-"]));
      await expect(surveyCreation(USER)(body(20))).rejects.toThrow();
      await reopened()(body(completed));
      expect(calls[1]).toEqual(calls[0]);
      expect(sent().slice(2)).toEqual(
        completed === 20 ? [] : [["PUT", "/api/outcome_surveys/7", body(completed)]],
      );
      expect(open(IDS).draft).toMatchObject({ cards: ["yn", "y-"], open: null });
    }
  });

  test("keeps an open request without cards, and ends with neither", async () => {
    replies = ["lost"];
    keepDraft(USER, draftOf(["yn"]));
    await expect(surveyCreation(USER)(body(1))).rejects.toThrow();
    keepDraft(USER, { cards: [] });
    expect(open(IDS).draft?.open?.body).toEqual(body(1));
    await reopened()(body(3));
    expect(sent().at(-1)).toEqual(["PUT", "/api/outcome_surveys/7", body(3)]);
    expect(open(IDS)).toEqual({ draft: null, changes: [] });
  });

  test("has the card that is being read, also without a finished one", () => {
    for (const cards of [["yn"], []]) {
      keepDraft(USER, { ...draftOf(cards), current: "n" });
      expect(open(IDS).draft).toMatchObject({ cards, current: "n" });
    }
    keepDraft(USER, { current: "" });
    expect(open(IDS).draft).toBeNull();
  });

  test("of an earlier version has no card that is being read", () => {
    const { current: _, ...earlier } = draftOf(["yn"]);
    localStorage.setItem(`outcome-tally-${USER}`, JSON.stringify({ ...earlier, open: null }));
    expect(open(IDS).draft).toMatchObject({ cards: ["yn"], current: "" });
  });

  test.each([
    [[11, 12], [], ["yn", "y-"], "n", []],
    [[12, 11], [], ["ny", "-y"], " n", []],
    [
      [11, 12, 13],
      [],
      ["yn-", "y--"],
      "n",
      ["“Question 13” was added. It has no answer on the 2 cards counted before."],
    ],
    [[12], [11], ["n", "-"], "", ["“Question 11” is no longer asked. Not counted: 2 yes, 1 no."]],
    [[12], [], ["n", "-"], "", ["A question is no longer asked. Not counted: 2 yes, 1 no."]],
  ])("is kept for the questions %j and the retired ones %j", (ids, retired, cards, current, changes) => {
    keepDraft(USER, { ...draftOf(["yn", "y-"]), current: "n" });
    expect(open(ids, retired)).toMatchObject({ draft: { questionIds: ids, cards, current }, changes });
  });

  test("keeps its cards while its date is cleared", () => {
    keepDraft(USER, { ...draftOf(["yn"]), countedOn: null });
    expect(open(IDS)).toMatchObject({ draft: { cards: ["yn"], countedOn: null }, changes: [] });
  });

  test("keeps saved answers to a question that was retired after their response was lost", async () => {
    const answer = (outcomeQuestionId: number) => ({ outcomeQuestionId, yes: 1, no: 0 });
    saved = IDS.map((id) => ({ id: id + 100, ...answer(id) }));
    replies = ["lost"];
    keepDraft(USER, draftOf(["yy"]));
    await expect(surveyCreation(USER)({ answersAttributes: IDS.map(answer) })).rejects.toThrow();
    const { draft } = open([12], [11]);
    await surveyCreation(USER, draft?.open)({ answersAttributes: [answer(12)] });
    expect(sent().at(-1)).toEqual([
      "PUT",
      "/api/outcome_surveys/7",
      { answersAttributes: [answer(12), { id: 111, ...answer(11) }] },
    ]);
  });
});

describe("the print of paper cards", () => {
  const question = "Because of these services, I know more ways to plan for my safety.";
  const times = (count: number) => Array.from({ length: count }, () => question);

  test.each([
    [1, "large"],
    [2, "large"],
    [3, "medium"],
    [4, "medium"],
    [5, "small"],
    [6, "smallest"],
    [7, null],
  ])("of %i questions is %j", (count, size) => {
    expect(cardSize(times(count), null)).toBe(size);
  });

  test("is smaller, or too small, if the name of the organization needs the room", () => {
    expect(cardSize(times(2), "Victim Services")).toBe("large");
    expect(cardSize(times(4), "Victim Services")).toBe("small");
    expect(cardSize(times(6), "Victim Services")).toBeNull();
  });

  test("counts lines that break between words, and within a word longer than a line", () => {
    const words = "1234567890123456";
    expect(cardSize([`${words} `.repeat(9).trim()], null)).toBe("large");
    expect(cardSize([`${words} `.repeat(10).trim()], null)).toBe("medium");
    expect(cardSize(["1".repeat(252)], null)).toBe("large");
    expect(cardSize(["1".repeat(255)], null)).toBe("medium");
  });
});
