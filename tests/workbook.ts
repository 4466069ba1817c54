import { crc32, deflateRawSync } from "node:zlib";

/** Returns a ZIP archive of these files. */
export function zip(files: Record<string, string>): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const bytes = Buffer.from(text);
    const title = Buffer.from(name);
    const packed = deflateRawSync(bytes);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc32(bytes), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(bytes.length, 18);
    facts.writeUInt16LE(title.length, 22);
    const at = Buffer.alloc(14);
    at.writeUInt32LE(offset, 10);
    const body = [Buffer.from("PK\u0003\u0004"), facts, title, packed];
    directory.push(Buffer.from("PK\u0001\u0002\u0014\0"), facts, at, title);
    bodies.push(...body);
    offset += body.reduce((size, part) => size + part.length, 0);
  }
  const directoryBytes = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Object.keys(files).length, 4);
  end.writeUInt16LE(Object.keys(files).length, 6);
  end.writeUInt32LE(directoryBytes.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, directoryBytes, Buffer.from("PK\u0005\u0006"), end]);
}

const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** Returns the part that names the parts to which another one refers: the type and the place of each, by id. */
export const relationships = (parts: Record<string, readonly [type: string, target: string]>): string =>
  `<Relationships>${Object.entries(parts)
    .map(
      ([id, [type, target]]) => `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
    )
    .join("")}</Relationships>`;

/**
 * Returns a workbook as spreadsheets save it: its second style formats dates, and its texts are shared.
 * `rows` is the XML of its rows.
 */
export const workbook = (
  rows: string,
  shared: readonly string[],
  others: Record<string, string> = {},
): Buffer =>
  zip({
    "_rels/.rels": relationships({ rId1: ["officeDocument", "xl/workbook.xml"] }),
    "xl/workbook.xml": `<?xml version="1.0"?><workbook xmlns:r="r"><sheets><sheet name="One" sheetId="1" r:id="rId7"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relationships({
      rId7: ["worksheet", "worksheets/sheet1.xml"],
      rId8: ["styles", "styles.xml"],
      rId9: ["sharedStrings", "sharedStrings.xml"],
    }),
    "xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="mm/dd/yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
    "xl/sharedStrings.xml": `<sst>${shared.map((text) => `<si><t>${text}</t></si>`).join("")}</sst>`,
    "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    ...others,
  });
