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

/** The letters that a line of a card holds in each print, and the lines that its questions may have. */
const SIZES = [
  { size: "large", letters: 26, lines: 9.5 },
  { size: "medium", letters: 32, lines: 14.5 },
  { size: "small", letters: 40, lines: 19.5 },
] as const;
/** The lines that the boxes of a question need. */
const BOXES_LINES = 1.7;

export type CardSize = (typeof SIZES)[number]["size"];

/** Returns the largest print in which the questions fit on a card; null if they do not fit. */
export function cardSize(questions: readonly string[]): CardSize | null {
  const fitting = SIZES.find(({ letters, lines }) => {
    const needed = questions.map(({ length }) => Math.ceil(length / letters) + BOXES_LINES);
    return needed.reduce((sum, count) => sum + count, 0) <= lines;
  });
  return fitting?.size ?? null;
}
