import { z } from "zod/mini";
import { call } from "@/lib/core/api/client";
import { creation, type OpenCreation } from "@/lib/core/api/creation";
import { counted } from "@/lib/core/text/format";

// The cards that were counted on this device and are not saved yet. Their letters name no one.

const draftSchema = z.object({
  /** The questions that the letters of a card answer, in order. */
  questionIds: z.array(z.int()),
  cards: z.array(z.string()),
  serviceKind: z.string(),
  /** As typed; null if it was cleared. */
  countedOn: z.nullable(z.string()),
  /** The save whose response was lost. */
  open: z.nullable(z.object({ body: z.looseObject({}), key: z.string() })),
});
type TallyDraft = z.output<typeof draftSchema>;

const EMPTY: TallyDraft = { questionIds: [], cards: [], serviceKind: "", countedOn: "", open: null };

const draftName = (userId: number) => `outcome-tally-${userId}`;

function storedDraft(userId: number): TallyDraft | null {
  try {
    return draftSchema.parse(JSON.parse(localStorage.getItem(draftName(userId)) ?? "null"));
  } catch {
    return null;
  }
}

/** Changes the draft of a user. It ends when it has no cards, and no save whose outcome is unknown. */
export function keepDraft(userId: number, changes: Partial<TallyDraft>): void {
  const draft = { ...EMPTY, ...storedDraft(userId), ...changes };
  try {
    if (draft.cards.length === 0 && draft.open === null) localStorage.removeItem(draftName(userId));
    else localStorage.setItem(draftName(userId), JSON.stringify(draft));
  } catch {
    // A browser that stores nothing keeps the cards until the page is left.
  }
}

/**
 * Returns the draft of a user, if its cards answer these questions. Otherwise ends it, and returns the messages about what
 * was not kept.
 */
export function openDraft(
  userId: number,
  questionIds: readonly number[],
): { draft: TallyDraft | null; lost: string[] } {
  const draft = storedDraft(userId);
  if (!draft) return { draft, lost: [] };
  const isSame = draft.questionIds.join() === questionIds.join();
  if (isSame && draft.cards.every((card) => card.length === questionIds.length)) return { draft, lost: [] };
  keepDraft(userId, { cards: [], open: null });
  const lost = [
    `The questions have changed, so the count on this device (${counted(draft.cards.length, "card")}) is not kept. Count again.`,
    ...(draft.open
      ? ["Look for these cards in the list first, because they may have been saved already."]
      : []),
  ];
  return { draft: null, lost };
}

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
export const surveyCreation = (userId: number, open: OpenCreation<object> | null = null) =>
  creation(
    {
      create: async (outcomeSurvey: object, options) => {
        const body = { outcomeSurvey: { ...outcomeSurvey } };
        return (await call("POST /api/outcome_surveys", { ...options, body })).outcomeSurvey;
      },
      async update(created, outcomeSurvey, options) {
        if (!created) return created;
        const sent = { params: { id: created.id }, body: { outcomeSurvey: { ...outcomeSurvey } } };
        return (await call("PUT /api/outcome_surveys/{id}", { ...options, ...sent })).outcomeSurvey;
      },
    },
    { open, keep: (next) => keepDraft(userId, { open: next && { ...next, body: { ...next.body } } }) },
  );
