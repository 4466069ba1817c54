import "server-only";
import type { SessionUser } from "@/lib/core/access/permissions";
import { resourceLists } from "@/lib/lookups/resources/lists";
import type { FormLists } from "@/lib/lookups/schema";
import type { CardQuestion } from "@/lib/outcomes/cards";

/** Returns the questions that are asked, in the order in which a tally counts their answers. */
export async function cardQuestions(actor: SessionUser): Promise<CardQuestion[]> {
  const lists = await resourceLists<Pick<FormLists, "outcomeQuestions">>(actor, ["outcome_questions"]);
  return lists.outcomeQuestions
    .filter(({ active }) => active)
    .map(({ id, name, spanish = "" }) => ({ id, en: name, es: spanish.trim() }));
}
