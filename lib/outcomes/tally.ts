// Counts paper cards one answer at a time. A card is a text with one letter for each question.

/** Yes, no, and no answer. */
const ANSWERS = ["y", "n", "-"] as const;
export type AnswerLetter = (typeof ANSWERS)[number];

/** The most cards of one survey. */
export const CARDS_MAX = 999;

/** A question that was added while a card is being read, and has no answer on it yet. */
const GAP = " ";

/** The finished cards, and the answers of the card that is being read. */
export type TallyState = { cards: readonly string[]; current: string };
export const NO_CARDS: TallyState = { cards: [], current: "" };

/** Returns the place of the question that is answered next on the card that is being read. */
export const nextQuestion = (current: string): number =>
  current.includes(GAP) ? current.indexOf(GAP) : current.length;

/** Returns the state after an answer. The answer to the last question ends the card. */
export function answered(
  { cards, current }: TallyState,
  letter: AnswerLetter,
  questions: number,
): TallyState {
  if (cards.length >= CARDS_MAX) return { cards, current };
  const at = nextQuestion(current);
  return ended(cards, current.slice(0, at) + letter + current.slice(at + 1), questions);
}

/** Returns the state in which a card with all answers has ended. */
const ended = (cards: readonly string[], current: string, questions: number): TallyState =>
  current.length < questions || current.includes(GAP)
    ? { cards, current }
    : { cards: [...cards, current], current: "" };

/**
 * Returns the state with the answers in the order of the questions that are asked `now`. Finished cards have no answer to an
 * added question; the card that is being read waits for it.
 */
export function reordered(
  { cards, current }: TallyState,
  before: readonly number[],
  now: readonly number[],
): TallyState {
  const inOrder = (card: string, missing: string) =>
    now.map((id) => card[before.indexOf(id)] ?? missing).join("");
  const moved = cards.map((card) => inOrder(card, "-"));
  const answers = inOrder(current, GAP).trimEnd();
  return answers === "" ? { cards: moved, current: "" } : ended(moved, answers, now.length);
}

/** Returns the state without the answers of the current card, or else without the last card. */
export const takenBack = ({ cards, current }: TallyState): TallyState =>
  current === "" ? { cards: cards.slice(0, -1), current } : { cards, current: "" };

/** Returns the numbers of yes and no answers to each question, in order. */
export const countedAnswers = (cards: readonly string[], questions: number) =>
  Array.from({ length: questions }, (_, at) => ({
    yes: cards.filter((card) => card[at] === "y").length,
    no: cards.filter((card) => card[at] === "n").length,
  }));
