import * as z from "zod/mini";
import { call } from "@/lib/core/api/client";
import { creation, type OpenCreation } from "@/lib/core/api/creation";
import { counted } from "@/lib/core/text/format";
import { countedAnswers, reordered } from "@/lib/outcomes/tally";

// The cards that were counted on this device and are not saved yet, with the one that is being read. Their letters name no
// one.

const answers = z.array(z.looseObject({ outcomeQuestionId: z.int() }));
const surveyBody = z.looseObject({ answersAttributes: z.optional(answers) });
type SurveyBody = z.output<typeof surveyBody>;

const draftSchema = z.object({
  /** The questions that the letters of a card answer, in order. */
  questionIds: z.array(z.int()),
  cards: z.array(z.string()),
  /** The answers of the card that is being read. Earlier versions did not keep them. */
  current: z._default(z.string(), ""),
  serviceKind: z.string(),
  /** As typed; null if it was cleared. */
  countedOn: z.nullable(z.string()),
  /** The save whose response was lost. */
  open: z.nullable(z.object({ body: surveyBody, key: z.string() })),
});
type TallyDraft = z.output<typeof draftSchema>;

const EMPTY: TallyDraft = {
  questionIds: [],
  cards: [],
  current: "",
  serviceKind: "",
  countedOn: "",
  open: null,
};

const draftName = (userId: number) => `outcome-tally-${userId}`;

function storedDraft(userId: number): TallyDraft | null {
  try {
    return draftSchema.parse(JSON.parse(localStorage.getItem(draftName(userId)) ?? "null"));
  } catch {
    return null;
  }
}

/** Changes the draft of a user. It ends when it has no answers, and no save whose outcome is unknown. */
export function keepDraft(userId: number, changes: Partial<TallyDraft>): void {
  const draft = { ...EMPTY, ...storedDraft(userId), ...changes };
  try {
    if (draft.cards.length === 0 && draft.current === "" && draft.open === null)
      localStorage.removeItem(draftName(userId));
    else localStorage.setItem(draftName(userId), JSON.stringify(draft));
  } catch {
    // A browser that stores nothing keeps the cards until the page is left.
  }
}

/** A question of the list. Retired ones are no longer asked. */
type Question = { id: number; name: string; active?: boolean | undefined };

/**
 * Returns the draft of a user with the answers to the questions that are asked now, and messages about the answers that no
 * longer count and the questions that were added.
 */
export function openDraft(
  userId: number,
  questions: readonly Question[],
): { draft: TallyDraft | null; changes: string[] } {
  const draft = storedDraft(userId);
  const asked = questions.filter(({ active = true }) => active);
  if (!draft) return { draft, changes: [] };
  const { questionIds, cards, current } = draft;
  const counts = countedAnswers([...cards, current], questionIds.length);
  const dropped = questionIds.flatMap((id, at) => {
    const { yes = 0, no = 0 } = counts[at] ?? {};
    if (yes + no === 0 || asked.some((question) => question.id === id)) return [];
    const name = questions.find((question) => question.id === id)?.name;
    return [`${name ? `“${name}”` : "A question"} is no longer asked. Not counted: ${yes} yes, ${no} no.`];
  });
  const added = asked.filter(({ id }) => cards.length > 0 && !questionIds.includes(id));
  return {
    draft: movedTo(
      draft,
      asked.map(({ id }) => id),
    ),
    changes: [
      ...dropped,
      ...added.map(
        ({ name }) =>
          `“${name}” was added. It has no answer on the ${counted(cards.length, "card")} counted before.`,
      ),
    ],
  };
}

/** Returns a draft with its answers in the order of these questions. */
export const movedTo = (draft: TallyDraft, questionIds: readonly number[]): TallyDraft => {
  const { cards, current } = reordered(draft, draft.questionIds, questionIds);
  return { ...draft, questionIds: [...questionIds], cards: [...cards], current };
};

/**
 * Calls `changed` with the draft, as soon as another tab has changed, saved, or ended it: both count the same stack, which
 * must not be saved by each. Returns a function that stops this.
 */
export function onDraftElsewhere(userId: number, changed: (draft: TallyDraft) => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === draftName(userId)) changed(storedDraft(userId) ?? EMPTY);
  };
  window.addEventListener("storage", onStorage);
  return () => window.removeEventListener("storage", onStorage);
}

/** Records the cards of a draft as one survey, and never as two, even if the page is opened again after a lost response. */
export const surveyCreation = (userId: number, open: OpenCreation<SurveyBody> | null = null) =>
  creation(
    {
      create: async (body: SurveyBody, options) => {
        const outcomeSurvey = { ...body };
        return (await call("POST /api/outcome_surveys", { ...options, body: { outcomeSurvey } }))
          .outcomeSurvey;
      },
      async update(created, body, options) {
        if (!created) return created;
        const { answersAttributes: sent } = body;
        // Answers to a question that was retired since its response was lost are saved already, and stay.
        const saved = answers
          .parse(created.answers)
          .filter(
            (row) => !sent?.some(({ outcomeQuestionId }) => outcomeQuestionId === row.outcomeQuestionId),
          );
        const outcomeSurvey = { ...body, ...(sent && { answersAttributes: [...sent, ...saved] }) };
        const params = { id: created.id };
        return (await call("PUT /api/outcome_surveys/{id}", { ...options, params, body: { outcomeSurvey } }))
          .outcomeSurvey;
      },
    },
    { open, keep: (next) => keepDraft(userId, { open: next }) },
  );
