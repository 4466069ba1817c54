/** One change in words, such as `Ethnicity: White → Other` in the section Client Demographics. */
export type ChangeSentence = {
  field: string;
  section: string;
  text: string;
  /** True if it is the removal of a row, whose place in `field` is the former one. */
  isRemoved?: true;
  /** True if it tells a phone number, or the mask in its place. */
  isPhone?: true;
};

/**
 * Groups the sentences by section, each section once: the record itself first, then by order of appearance.
 */
export function bySection(
  sentences: readonly ChangeSentence[],
): { section: string; sentences: ChangeSentence[] }[] {
  const sections = [...new Set(["", ...sentences.map(({ section }) => section)])];
  return sections
    .map((section) => ({ section, sentences: sentences.filter((sentence) => sentence.section === section) }))
    .filter((part) => part.sentences.length > 0);
}
