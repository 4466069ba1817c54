import type { Tx } from "@/lib/core/database/client";
import { EARLIEST_DAY } from "@/lib/core/text/format";
import { HOTLINE_LINE, NO_LINE, newRowLine } from "@/lib/lookups/report-lines";
import {
  AGE_LINES,
  GROUP_LINE,
  INDIVIDUAL_LINE,
  REPORT_KEYS,
  type ReportKey,
  reports,
} from "@/lib/reports/definitions";
import {
  ANY_VALUE,
  kindsIn,
  linesFor,
  type Mapping,
  SEEDED_CODES,
  SEEDED_ETHNICITIES,
  SEEDED_FLAGS,
  SEEDED_GENDERS,
  SEEDED_GROUP,
  SEEDED_HOTLINE,
  SEEDED_NO_ADVOCACY,
  SEEDED_RELATIONSHIPS,
  SEEDED_SEXES,
  SEEDED_VICTIMIZATIONS,
} from "@/lib/reports/mapping";

type Seeded = Pick<Mapping, "kind" | "source" | "formTypeId" | "line">;

/**
 * Maps the lists to the lines of each report that is new to the database, by the names from the seed. Values that an
 * administrator renamed or added must be mapped by hand. Runs in new and older databases.
 */
export async function seedReports(tx: Tx): Promise<void> {
  const existing = new Set((await tx.reportSetting.findMany()).map(({ report }) => report));
  const missing = REPORT_KEYS.filter((report) => !existing.has(report));
  if (missing.length === 0) return;
  const mappings = await defaults(tx);
  for (const report of missing) {
    await tx.reportSetting.create({ data: { report, yearStart: reports[report].yearStart } });
    await tx.reportMapping.createMany({
      data: mappingsOf(report, mappings).map((mapping) => ({
        ...mapping,
        report,
        validFrom: new Date(EARLIEST_DAY),
      })),
    });
  }
}

/** Returns the mappings for lines of the report. A value whose line it lacks counts nowhere there. */
const mappingsOf = (report: ReportKey, mappings: readonly Seeded[]): Seeded[] =>
  mappings
    .filter(({ kind }) => kindsIn(report).includes(kind))
    .map((mapping) => {
      const hasLine = linesFor(report, mapping.kind).some(({ key }) => key === mapping.line);
      return hasLine ? mapping : { ...mapping, line: NO_LINE };
    });

async function defaults(tx: Tx): Promise<Seeded[]> {
  const phones = await tx.formType.findMany({ where: { phone: true } });
  const codes = (await tx.serviceCode.findMany()).flatMap(({ id, code }): Seeded[] => {
    const mapping = SEEDED_CODES[code];
    if (!mapping) return [];
    const row = { kind: "service_code", source: String(id) } as const;
    const { line, onPhone } = mapping;
    return [
      { ...row, formTypeId: null, line },
      ...(onPhone ? phones.map((type) => ({ ...row, formTypeId: type.id, line: onPhone })) : []),
    ];
  });
  return [
    ...codes,
    ...mapByName("ethnicity", await tx.ethnicity.findMany(), SEEDED_ETHNICITIES),
    ...mapByName("victimization", await tx.secondaryVictimization.findMany(), SEEDED_VICTIMIZATIONS),
    ...mapByName("offender_relationship", await tx.offenderRelationship.findMany(), SEEDED_RELATIONSHIPS),
    ...brackets(await tx.ageBracket.findMany({ orderBy: { rangeStart: "asc" } })),
    ...mapEach("contact_kind", await tx.contactKind.findMany(), (kind) =>
      SEEDED_HOTLINE.includes(kind.name) ? HOTLINE_LINE : newRowLine("contact_kind", kind),
    ),
    ...mapEach("form_type", await tx.formType.findMany(), (type) => newRowLine("form_type", type)),
    ...mapEach("shelter", await tx.shelter.findMany(), (shelter) => newRowLine("shelter", shelter)),
    ...mapEach(
      "fvpsa_service",
      (await tx.serviceCode.findMany()).filter(({ code }) => SEEDED_CODES[code]),
      ({ code }) => {
        if (code === SEEDED_GROUP) return GROUP_LINE;
        return SEEDED_NO_ADVOCACY.includes(code) ? NO_LINE : INDIVIDUAL_LINE;
      },
    ),
    ...mapByValue("gender", SEEDED_GENDERS),
    ...mapByValue("sex", SEEDED_SEXES),
    ...mapByValue("flag", SEEDED_FLAGS),
    ...mapByValue("victimization_other", { [ANY_VALUE]: "victim_other" }),
    ...mapByValue("hate_crime", { [ANY_VALUE]: "victim_hate_crime" }),
  ];
}

const mapByName = (
  kind: Mapping["kind"],
  list: { id: number; name: string }[],
  lines: Readonly<Record<string, string>>,
): Seeded[] =>
  list.flatMap(({ id, name }) => {
    const line = lines[name];
    return line ? [{ kind, source: String(id), formTypeId: null, line }] : [];
  });

const mapEach = <Item extends { id: number }>(
  kind: Mapping["kind"],
  list: readonly Item[],
  lineOf: (item: Item) => string,
): Seeded[] => list.map((item) => ({ kind, source: String(item.id), formTypeId: null, line: lineOf(item) }));

const mapByValue = (kind: Mapping["kind"], lines: Readonly<Record<string, string>>): Seeded[] =>
  Object.entries(lines).map(([source, line]) => ({ kind, source, formTypeId: null, line }));

/** Maps brackets within the ages of one line. A bracket that overlaps two lines must be mapped by hand. */
function brackets(list: { id: number; rangeStart: number }[]): Seeded[] {
  const lineAt = (age: number) => AGE_LINES.findLast(({ from }) => from <= age)?.key;
  return list.flatMap(({ id, rangeStart }, at) => {
    const next = list[at + 1];
    const line = lineAt(rangeStart);
    if (!line || line !== lineAt(next ? next.rangeStart - 1 : Number.POSITIVE_INFINITY)) return [];
    return [{ kind: "age_bracket", source: String(id), formTypeId: null, line }];
  });
}
