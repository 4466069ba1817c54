/** The answers to one question. */
export type Answer = { yes: number; no: number };

/** Returns the problems of answers that are more than the cards, by path. Cards without an answer are not counted. */
export const answersProblems = (completed: number, answers: readonly Answer[]): Record<string, string> =>
  Object.fromEntries(
    answers.flatMap(({ yes, no }, at) =>
      yes + no > completed ? [[`answers.${at}.no`, "and Yes must not be more than the cards together"]] : [],
    ),
  );
