// Invented people for measurements. In reality a few names are very common and most are rare. The speed of a search
// depends on it. So the lists are ordered by frequency, and syllables form their tails.

/** The most frequent names of the lists, in order of frequency. */
const FIRST =
  "Maria Jennifer Jessica Ashley Mary Patricia Linda Sarah Amanda Michelle Melissa Stephanie Elizabeth Nicole " +
  "Heather Amber Kimberly Christina Rebecca Laura Rachel Crystal Tiffany Danielle Emily Samantha Angela Amy " +
  "Brittany Megan Kelly Lisa Susan Karen Nancy Donna Carol Sandra Sharon Deborah José Ana Carmen Rosa Luz Juana " +
  "Guadalupe Sofía Lucía Inés Michael James Robert John David William Christopher Matthew Joshua Andrew Fatima " +
  "Aisha Mei Ling Thu Linh Priya Anjali Olga Svetlana Keisha Latoya Shanice Ebony Imani Destiny Jasmine Alexis " +
  "Kayla Hannah Taylor Morgan Courtney Katherine Catherine Kathryn Anna Anne Julia Julie Diana Diane Theresa " +
  "Teresa Gloria Ruth Joyce Virginia Dorothy Helen Chloë Zoë Renée Noël Siobhán";
const LAST =
  "Smith Johnson Williams Brown Jones Miller Davis García Rodriguez Wilson Martinez Anderson Taylor Thomas Hernandez " +
  "Moore Martin Jackson Thompson White Lopez Lee Gonzalez Harris Clark Lewis Robinson Walker Perez Hall Young Allen " +
  "Sanchez Wright King Scott Green Baker Adams Nelson Hill Ramirez Campbell Mitchell Roberts Carter Phillips Evans " +
  "Turner Torres Parker Collins Edwards Stewart Flores Morris Nguyen Murphy Rivera Cook Rogers Morgan Peterson " +
  "Cooper Reed Bailey Bell Gomez Kelly Howard Ward Cox Diaz Richardson Wood Watson Brooks Bennett Gray James Reyes " +
  "Cruz Hughes Price Myers Long Foster Sanders Ross Morales Powell Sullivan Russell Ortiz Jenkins Gutierrez Perry " +
  "Butler Barnes Fisher Jiménez Jimenez Núñez Peña Muñoz O'Brien O'Connor Kowalski Nowak Schmidt Müller Petrov Ivanova " +
  "Chen Wang Patel Khan Ali Hussein Nakamura Kim Park Tran Pham Washington Jefferson Freeman Yoder Stoltzfus";

const STARTS =
  "Al Bar Bel Bran Cal Cor Dan Del Dor El Fal Fer Gal Gar Hal Har Hol Jar Kal Kel Kor Lan Lor Mar Mel Mor Nar Nor " +
  "Ol Pal Per Quin Ral Ros Sal Sten Tal Tor Ul Val Ver Wal Wel Wis Yar Zel";
const MIDDLES = "a be da den di en er e gen in ka la len mi na o re ri sa ter u vi wo zi";
const FIRST_ENDS = "a ah lyn na ra ssa th wyn";
const LAST_ENDS =
  "by chak dez feld ford gren ham ini ko land ley man mont ner ova quist rath sen ski son stein ton ville worth";

const words = (list: string) => list.split(" ");

/** Returns `count` different names of a tail, in an order in which neighbors do not look alike. */
function composed(ends: string, count: number): string[] {
  const parts = [words(STARTS), words(MIDDLES), words(ends)] as const;
  const all = parts[0].flatMap((start) =>
    parts[1].flatMap((middle) => parts[2].map((end) => start + middle + end)),
  );
  // A step without a common factor with the length visits each name once.
  let step = Math.floor(all.length * 0.618);
  while (gcd(step, all.length) > 1) step += 1;
  return Array.from({ length: Math.min(count, all.length) }, (_, n) => all[(n * step) % all.length] ?? "");
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

/** Return about 1,500 first and 20,000 last names, the most frequent first. */
export const firstNames = (): string[] => [...words(FIRST), ...composed(FIRST_ENDS, 1_400)];
export const lastNames = (): string[] => [...words(LAST), ...composed(LAST_ENDS, 20_000)];
