/**
 * A name as names are compared (contract §7): Unicode NFKC and full case folding (ß = SS), without the characters
 * that nobody sees. Two names of one folded form are the same name to whoever reads them.
 */
export const folded = (name: string): string =>
  name
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    // Upper case comes last, as it knows no final sigma; the dotless ı alone would become another letter by it.
    .replace(/[^ı]+/g, (part) => part.toLowerCase().toUpperCase())
    .normalize("NFKC");
