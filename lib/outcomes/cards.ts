import type { ServiceKind } from "@/lib/outcomes/words";

// The words of the paper cards that people answer. A card has no name, and no organization unless someone chooses so:
// a card that is found in a bag must not tell where its owner was.

export type CardLanguage = "en" | "es";

/** A question with its words in each language; "" in Spanish if nobody has entered them. */
export type CardQuestion = { id: number } & Record<CardLanguage, string>;

/** The words of a card in each language. */
export const CARD_WORDS: Readonly<Record<CardLanguage, CardWords>> = {
  en: {
    title: "How did we do?",
    help: "Check one box for each sentence. Leave both boxes empty if you prefer not to answer.",
    yes: "Yes",
    no: "No",
    privacy:
      "This card is confidential. Please do not write your name. Your answers do not change the help that you get.",
    thanks: "Thank you!",
    kinds: {
      shelter: "Shelter",
      advocacy: "Advocacy",
      counseling: "Counseling",
      support_group: "Support group",
    },
  },
  es: {
    title: "¿Cómo lo hicimos?",
    help: "Marque una casilla para cada frase. Si prefiere no contestar, deje vacías las dos casillas.",
    yes: "Sí",
    no: "No",
    privacy:
      "Esta tarjeta es confidencial. Por favor, no escriba su nombre. Sus respuestas no cambian la ayuda que recibe.",
    thanks: "¡Gracias!",
    kinds: {
      shelter: "Refugio",
      advocacy: "Apoyo y orientación",
      counseling: "Consejería",
      support_group: "Grupo de apoyo",
    },
  },
};
type CardWords = {
  title: string;
  help: string;
  yes: string;
  no: string;
  privacy: string;
  thanks: string;
  kinds: Readonly<Record<ServiceKind, string>>;
};

/** The letters that a line of a card holds in each print, in the widest usual font, and the lines below its head. */
const SIZES = [
  { size: "large", letters: 28, lines: 11.4 },
  { size: "medium", letters: 34, lines: 15.2 },
  { size: "small", letters: 38, lines: 19.5 },
  { size: "smallest", letters: 42, lines: 22.7 },
] as const;
/** The lines that the boxes of a question need, with the space around them. */
const BOXES_LINES = 1.76;
/** The space below the name of an organization, in lines. */
const SPACE_LINES = 0.7;

type CardSize = (typeof SIZES)[number]["size"];

/** Returns the number of lines of a text that breaks between words, or within a word longer than a line. */
function linesOf(text: string, letters: number): number {
  let lines = 0;
  let free = 0;
  for (const { length } of text.split(" ")) {
    if (length < free) {
      free -= length + 1;
      continue;
    }
    const needed = Math.max(1, Math.ceil(length / letters));
    lines += needed;
    free = needed * letters - length;
  }
  return lines;
}

/**
 * Returns the largest print in which the questions fit on a card, with the name of the organization if there is one; null
 * if they do not fit.
 */
export function cardSize(questions: readonly string[], organization: string | null): CardSize | null {
  const fitting = SIZES.find(({ letters, lines }) => {
    const head = organization ? linesOf(organization, letters) + SPACE_LINES : 0;
    const needed = questions.map((question) => linesOf(question, letters) + BOXES_LINES);
    return needed.reduce((sum, count) => sum + count, head) <= lines;
  });
  return fitting?.size ?? null;
}
