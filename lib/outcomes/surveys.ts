import "server-only";
import { invalidFields } from "@/lib/core/errors";
import { isRemoved } from "@/lib/core/fields/removed-rows";
import { sql } from "@/lib/core/sql";
import type { RecordValues } from "@/lib/declared-records/api-schema";
import { recordReads } from "@/lib/declared-records/reads";
import { checkRecord, type RecordSaves, recordSaves, refuseProblems } from "@/lib/declared-records/saves";
import { type RecordStore, storeOf } from "@/lib/declared-records/store";
import { type Answer, answersProblems } from "@/lib/outcomes/answers";
import { type OutcomeSurvey, outcomeSurveys } from "@/lib/outcomes/record";

// Outcome surveys do more than their declaration says: a question has at most as many answers as there are cards, and new
// answers are to questions that are asked.

const reads = recordReads<OutcomeSurvey>(outcomeSurveys);
const declaredSaves = recordSaves(reads);

type AnswerRow = Answer & { outcomeQuestionId: number };

const answersIn = (values: RecordValues): AnswerRow[] =>
  Array.isArray(values.answers) ? values.answers : [];
const NO_ANSWERS: Answer = { yes: 0, no: 0 };

const saves: RecordSaves<OutcomeSurvey> = {
  ...declaredSaves,
  prepare(found, sent) {
    const { values, problems } = checkRecord(outcomeSurveys, found, sent);
    const tooMany = answersProblems(
      Number(values.completed),
      answersIn(values).map((row) => (isRemoved(row) ? NO_ANSWERS : row)),
    );
    // If only the number of cards was sent, no answer was wrong.
    const sentAnswers = sent.answers !== undefined;
    const shown = sentAnswers || Object.keys(tooMany).length === 0 ? tooMany : { completed: FEWER_CARDS };
    const named = Object.entries(shown).map(([path, problem]) => [`outcomeSurvey.${path}`, problem]);
    refuseProblems(outcomeSurveys, { ...Object.fromEntries(named), ...problems });
    return values;
  },
  async before(query, _actor, { stored }, next) {
    const before = new Set(stored?.answers.map(({ outcomeQuestionId }) => outcomeQuestionId));
    const answers = answersIn(next);
    const isAdded = (row: AnswerRow) => !isRemoved(row) && !before.has(row.outcomeQuestionId);
    const added = answers.filter(isAdded).map(({ outcomeQuestionId }) => outcomeQuestionId);
    if (added.length === 0) return;
    const retired = await query<{ id: number }>(
      sql`SELECT id FROM outcome_questions WHERE id = ANY(${added}::int[]) AND NOT active FOR SHARE`,
    );
    const ids = new Set(retired.map(({ id }) => id));
    const problems = answers.flatMap((row, at) =>
      isAdded(row) && ids.has(row.outcomeQuestionId)
        ? [[`outcomeSurvey.answersAttributes.${at}.outcomeQuestionId`, "Question is no longer asked"]]
        : [],
    );
    if (problems.length > 0) throw invalidFields(Object.fromEntries(problems));
  },
};
const FEWER_CARDS = "must not be less than the answers to a question";

export const surveyStore: RecordStore<OutcomeSurvey> = storeOf(reads, saves);
