import { addDays } from "@/lib/core/text/format";
import { calendar } from "./fvpsa-loader";
import type { Period, World, WorldRecord } from "./fvpsa-worlds";

// The FVPSA report counted from the records of a world in memory, day by day, without any code of the report. It follows
// docs/reference/reports.md word by word and knows only the seeded mappings.

type Form = Extract<WorldRecord, { form: string; codes: readonly string[] }>;
type Survivor = Extract<WorldRecord, { survivor: string }>;
type Stay = Extract<WorldRecord, { stay: string }>;
type Contact = Extract<WorldRecord, { contact: string }>;

const NEITHER = ["HOTEL", "SHELTER", "INTERPRET", "COMP", "EMERG-AID"];
const HOTLINE = ["Hotline call", "Text or chat"];
/** Relationships that are on no line. The other ones of these worlds are partners. */
const STRANGERS = ["Stranger"];

/** A part of the days that belongs to one fiscal year, which begins on October 1. */
type Part = { from: string; to: string };
const fiscalYear = (day: string): string => {
  const year = Number(day.slice(0, 4)) - (day.slice(5) < "10-01" ? 1 : 0);
  return `${year}-10-01`;
};
const within = (day: string, { from, to }: Part) => from <= day && day <= to;

/** Returns the numbers of a period that are not 0, except those of race and sex. */
export function countWorld(world: World, period: Period, year: number): Record<string, number> {
  const on = calendar(year);
  const asked = { from: on(period.from), to: on(period.to) };
  const isChosen = ({ by = "owner" }: { by?: string }) => period.by === undefined || by === period.by;
  const hasStays = period.formType === undefined;
  const forms = world.records.flatMap((record) =>
    "form" in record && "codes" in record ? [{ ...record, on: on(record.on) }] : [],
  ) as Form[];
  const survivors = world.records.flatMap((record) =>
    "survivor" in record ? [{ ...record, on: on(record.on) }] : [],
  ) as Survivor[];
  const stays = world.records.flatMap((record) =>
    "stay" in record ? [{ ...record, from: on(record.from), to: record.to && on(record.to) }] : [],
  ) as Stay[];
  const contacts = world.records.flatMap((record) =>
    "contact" in record ? [{ ...record, on: on(record.on) }] : [],
  ) as Contact[];
  const clients = [...new Set([...forms, ...survivors, ...stays].map((record) => record.of))];
  const counts: Record<string, number> = {};
  const add = (line: string, number = 1) => {
    if (number > 0) counts[line] = (counts[line] ?? 0) + number;
  };

  const isCounted = ({ status, codes }: Form) => status !== "Not Served" && codes.length > 0;
  const isOfType = ({ type = "Service" }: { type?: string }) =>
    period.formType === undefined || type === period.formType;

  /** Returns the stay to which each night of a client belongs, by day. */
  function nightsOf(client: string): Map<string, Stay> {
    const nights = new Map<string, Stay>();
    // Later stays replace earlier ones; of two that began on one day, the one recorded later.
    const sorted = stays
      .map((stay, at) => ({ stay, at }))
      .filter(({ stay }) => stay.of === client && stay.in !== "flats")
      .sort((a, b) => (a.stay.from < b.stay.from || (a.stay.from === b.stay.from && a.at < b.at) ? -1 : 1));
    for (const { stay } of sorted) {
      const last = stay.to === null ? asked.to : stay.to === stay.from ? stay.from : addDays(stay.to, -1);
      for (let day = stay.from; day <= last && day <= asked.to; day = addDays(day, 1)) nights.set(day, stay);
    }
    return nights;
  }

  for (const client of clients) {
    const nights = nightsOf(client);
    const counted = forms.filter((form) => form.of === client && isCounted(form));
    /** Returns the days of services and nights in a part, sorted. */
    const activeDays = (part: Part) =>
      [...counted.map((form) => form.on), ...nights.keys()].filter((day) => within(day, part)).sort();
    const sleeps = (part: Part) => [...nights.keys()].some((day) => within(day, part));
    /** Returns the entries that count for a part: those in it, or else the latest earlier one. */
    function entriesOf(part: Part): Survivor[] {
      const own = survivors.filter((entry) => entry.of === client);
      const inside = own.filter((entry) => within(entry.on, part));
      if (inside.length > 0) return inside;
      // Records of one day are in the order in which they were made.
      const earlier = own.filter((entry) => entry.on < part.from);
      const latest = earlier.reduce<Survivor | null>(
        (best, entry) => (best === null || entry.on >= best.on ? entry : best),
        null,
      );
      return latest ? [latest] : [];
    }
    function isInScope(part: Part): boolean {
      const entries = entriesOf(part);
      const isFamily = entries.some(
        ({ relationship = "Stranger", victimizations = [] }) =>
          !STRANGERS.includes(relationship) || victimizations.includes("Teen dating violence"),
      );
      const hasLine = isFamily || entries.some(({ victimizations = [] }) => victimizations.length > 0);
      return isFamily || sleeps(part) || !hasLine;
    }

    const chosenForms = counted.filter((form) => within(form.on, asked) && isChosen(form) && isOfType(form));
    const chosenNights = [...nights].filter(
      ([day, stay]) => hasStays && within(day, asked) && isChosen(stay),
    );

    // Shelter.
    if (chosenNights.length > 0) add("shelter_people");
    for (const [day, stay] of chosenNights) {
      add("shelter_nights", 1 + (stay.adults ?? 0) + (stay.children ?? 0));
      if (!nights.has(addDays(day, -1))) add("stays_begun");
    }
    const years = new Set([...nights.keys()].map(fiscalYear));
    for (const start of years) {
      const first = [...nights]
        .filter(([day, stay]) => fiscalYear(day) === start && (stay.adults ?? 0) + (stay.children ?? 0) > 0)
        .sort(([a], [b]) => (a < b ? -1 : 1))[0];
      if (!first || !hasStays || !within(first[0], asked) || !isChosen(first[1])) continue;
      add("along_adults", first[1].adults ?? 0);
      add("along_children", first[1].children ?? 0);
    }

    if (chosenForms.length === 0 && chosenNights.length === 0) continue;
    if (!isInScope(asked)) {
      add("people_other_crimes");
      continue;
    }
    // New, by the part of the period in each year.
    const parts: Part[] = [];
    for (let from = asked.from; from <= asked.to; ) {
      const next = `${Number(fiscalYear(from).slice(0, 4)) + 1}-10-01`;
      const [to = asked.to] = [addDays(next, -1), asked.to].sort();
      parts.push({ from, to });
      from = next;
    }
    const before = { from: fiscalYear(asked.from), to: addDays(asked.from, -1) };
    const isActiveBefore = before.from <= before.to && activeDays(before).length > 0 && isInScope(before);
    const newDays = parts.flatMap((part, at) => {
      const [first] = activeDays(part);
      return first !== undefined && isInScope(part) && !(at === 0 && isActiveBefore) ? [first] : [];
    });
    const newOn = newDays.sort()[0];
    const [firstOfYear] = activeDays({ from: before.from, to: asked.to });
    const { born: [years35, day] = [35, "01-01"], known = true } = world.people?.[client] ?? {};
    const ageOn = (at: string): number | null =>
      known ? Number(at.slice(0, 4)) - (year - years35) - (at.slice(5) < day ? 1 : 0) : null;
    if (newOn !== undefined) {
      const age = ageOn(newOn);
      const group = age === null ? "age_unknown" : age < 18 ? "children" : "adults";
      add("people_new");
      add(`${sleeps(asked) ? "shelter" : "nonshelter"}_${group}`);
      if (age === null) add("age_not_reported");
      else if (age < 13) add("age_0_12");
      else if (age < 18) add("age_13_17");
      else if (age < 25) add("age_18_24");
      else add(age < 60 ? "age_25_59" : "age_60_plus");
    }
    const [firstPart] = parts;
    if (
      isActiveBefore &&
      !sleeps(before) &&
      firstPart &&
      chosenNights.some(([night]) => within(night, firstPart))
    )
      add("moved_into_shelter");
    const age = ageOn(newOn ?? firstOfYear ?? asked.from);
    const group = age !== null && age < 18 ? "children" : "adults";
    const rows = chosenForms.flatMap(({ codes }) => codes);
    const groups = rows.filter((code) => code === "COUNSEL-GRP").length;
    const individual = rows.filter((code) => code !== "COUNSEL-GRP" && !NEITHER.includes(code)).length;
    if (individual > 0) add(`advocacy_${group}_individuals`);
    if (groups > 0) add(`groups_${group}_individuals`);
    add(`advocacy_${group}_times`, individual);
    add(`groups_${group}_times`, groups);
  }

  for (const contact of contacts) {
    if (!hasStays || !within(contact.on, asked) || !isChosen(contact)) continue;
    if (HOTLINE.includes(contact.kind)) add("hotline_contacts", contact.number ?? 1);
    if (contact.turnedAway !== "capacity") continue;
    add("unmet_requests", contact.number ?? 1);
    add("unmet_adults", contact.adults ?? 0);
    add("unmet_children", contact.children ?? 0);
  }
  for (const form of forms) {
    const isLinked = contacts.some(
      ({ kind, form: linked }) => linked === form.form && HOTLINE.includes(kind),
    );
    if (form.type === "Phone" && within(form.on, asked) && isChosen(form) && isOfType(form) && !isLinked)
      add("hotline_contacts");
  }
  return counts;
}
