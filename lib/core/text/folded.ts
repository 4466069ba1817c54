/**
 * Returns a name's form for comparison: Unicode NFKC and full case folding (ß = SS), without invisible characters.
 * Names with the same folded form look the same to a reader.
 */
export const folded = (name: string): string =>
  name
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    // Upper case comes last, because it has no special form for a final sigma. The dotless ı is left out, because
    // upper case would turn it into another letter.
    .replace(/[^ı]+/g, (part) => part.toLowerCase().toUpperCase())
    .normalize("NFKC");
