/**
 * Returns the kind of a problem: its sentence without the refused value, Ids, and numbers of rows, so that equal problems of many rows
 * are one.
 */
export const problemKind = (problem: string): string =>
  problem
    .replace(/: “[^”]*”$/u, "")
    .replace(/^([^:]+(?:: [^:]+)?): .* is not a (date|US state)\. /su, "$1 is not a $2. ")
    .replace(/^Row \d+ has the same/u, "Another row has the same")
    .replace(/is also in row \d+$/u, "is also further up")
    .replace(/\bhas \d[\d,]* cells?\b/u, "has more cells than headings")
    .replace(/more cells than headings, but there (?:is|are) .*$/u, "more cells than headings")
    .replace(/ the Client Id “[^”]*”/u, " the Client Id");
