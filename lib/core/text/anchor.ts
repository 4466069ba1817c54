/** Returns the id of a heading in a document, as GitHub makes it: `The diamond mark` → `the-diamond-mark`. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
