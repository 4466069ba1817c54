import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/sql";
import { APOSTROPHES, DASHES, foldText, LETTERS } from "@/lib/core/text/fold-text";

/** All characters that this Node knows, without ideographs, which have no case, mark or accent. */
const CHARACTERS = Array.from({ length: 0x10ffff }, (_, index) => index + 1)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((character) => !/[\p{Cn}\p{Co}\p{Unified_Ideograph}]/u.test(character));

async function inSql(fold: typeof FOLD_TEXT, texts: readonly string[]): Promise<string[]> {
  const found = await rows<{ folded: string }>(
    sql`SELECT ${fold}(text) AS folded FROM unnest(${texts}::text[]) WITH ORDINALITY AS t (text, at) ORDER BY at`,
  );
  return found.map(({ folded }) => folded);
}
const FOLD_TEXT = sql`fold_text`;
const FOLD_NAME = sql`fold_name`;

/** The characters of the table in docs/reference/finding.md, and what each is folded to. */
async function documented(): Promise<[string, string][]> {
  const page = await readFile("docs/reference/finding.md", "utf8");
  const table = [...page.matchAll(/^\| (\S(?:.*\S)?) \| (\S+) \|$/gm)].filter(([, , to]) => to !== "---");
  return table.flatMap(([, from = "", to = ""]) =>
    from
      .replace("\\`", "`")
      .split(" ")
      .filter((text) => [...text].length === 1)
      .map((character): [string, string] => [character, to]),
  );
}

describe("folding for finding", () => {
  test("is the same in SQL as in JavaScript for every character", async () => {
    const texts = CHARACTERS.map((character) => `A${character}b`);
    const stored = await inSql(FOLD_TEXT, texts);
    expect(texts.filter((text, at) => stored[at] !== foldText(text))).toEqual([]);
  });

  test("leaves only letters, digits and single blanks of a name", async () => {
    const texts = CHARACTERS.map((character) => `A${character}b`);
    const names = await inSql(FOLD_NAME, texts);
    const expected = texts.map((text) =>
      foldText(text)
        .replaceAll("'", "")
        .replace(/[^\p{L}\p{N}]+/gu, " ")
        .trim(),
    );
    expect(texts.filter((_, at) => names[at] !== expected[at])).toEqual([]);
  });

  test("ignores case, and changes nothing that is folded already", () => {
    const differing = CHARACTERS.filter((character) => {
      const folded = foldText(character);
      const cases = [character.toUpperCase(), character.toLowerCase(), folded];
      return cases.some((text) => foldText(text) !== folded);
    });
    expect(differing).toEqual([]);
  });

  test("removes every mark and invisible character, and makes every blank one blank", () => {
    const isIgnored = (character: string) => foldText(`a${character}b`) === "ab";
    const ignored = CHARACTERS.filter((character) =>
      /[\p{M}\p{Default_Ignorable_Code_Point}]/u.test(character),
    );
    // The iota below Greek vowels is a mark whose case folding is a letter.
    expect(ignored.filter((character) => !isIgnored(character))).toEqual(["\u0345"]);
    const blanks = CHARACTERS.filter((character) => /[\s\p{Cc}]/u.test(character) && character !== "\ufeff");
    expect(blanks.filter((blank) => foldText(` a${blank}${blank} b\t`) !== "a b")).toEqual([]);
  });

  test("follows the table of the documentation, which has every letter, apostrophe and dash", async () => {
    const table = await documented();
    expect(table.filter(([character, to]) => foldText(character) !== to)).toEqual([]);
    const characters = new Set(table.map(([character]) => character));
    const own = [...Object.keys(LETTERS), ...APOSTROPHES, ...DASHES, ..."ß-‐‑‒–—―"];
    expect(own.filter((character) => !characters.has(character))).toEqual([]);
  });

  test.each([
    ["Đặng Thị Ánh", "dang thi anh"],
    ["ÐORÐE", "dorde"],
    ["Łukasz Wałęsa", "lukasz walesa"],
    ["SØREN KIERKEGÅRD", "soren kierkegard"],
    ["Groß", "gross"],
    ["GROẞ", "gross"],
    ["Þóra Æsa", "thora aesa"],
    ["Œdipe", "oedipe"],
    ["Yıldız", "yildiz"],
    ["YILDIZ İREM", "yildiz irem"],
    ["ΟΔΥΣΣΕΥΣ", "οδυσσευσ"],
    ["Ὀδυσσεύς", "οδυσσευσ"],
    ["Ёлкин Юрий", "елкин юрии"],
    ["مُحَمَّد", "محمد"],
    ["O`Brien", "o'brien"],
    ["O´Brien", "o'brien"],
    ["O′Brien", "o'brien"],
    ["O＇Brien", "o'brien"],
    ["Oʻahu", "o'ahu"],
    ["O‘Brien", "o'brien"],
    ["Lopez‐Ruiz", "lopez-ruiz"],
    ["Lopez—Ruiz", "lopez-ruiz"],
    ["Lopez−Ruiz", "lopez-ruiz"],
    ["Ｓｍｉｔｈ", "smith"],
    ["\ufeffAna\u00ad\u200b\u2060 \tRuiz\u00a0", "ana ruiz"],
    ["می\u200cخواهم", "میخواهم"],
  ])("of %j is %j", async (text, folded) => {
    expect(foldText(text)).toBe(folded);
    expect(await inSql(FOLD_TEXT, [text])).toEqual([folded]);
  });
});
