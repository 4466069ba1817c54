// Counts paper cards one answer at a time. A card is a text with one letter for each question.

/** Yes, no, and no answer. */
export const ANSWERS = ["y", "n", "-"] as const;
export type AnswerLetter = (typeof ANSWERS)[number];

/** The most cards of one survey. */
export const CARDS_MAX = 999;

/** The finished cards, and the answers of the card that is being read. */
export type TallyState = { cards: readonly string[]; current: string };
export const NO_CARDS: TallyState = { cards: [], current: "" };

/** Returns the state after an answer. The answer to the last question ends the card. */
export function answered(
  { cards, current }: TallyState,
  letter: AnswerLetter,
  questions: number,
): TallyState {
  if (cards.length >= CARDS_MAX) return { cards, current };
  const next = current + letter;
  return next.length < questions ? { cards, current: next } : { cards: [...cards, next], current: "" };
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
