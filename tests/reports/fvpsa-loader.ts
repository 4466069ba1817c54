import { expect } from "vitest";
import { db } from "@/lib/core/database/client";
import { addDays, today } from "@/lib/core/text/format";
import { linesOf } from "@/lib/reports/definitions";
import { call } from "@/tests/call";
import { formTypeId, makeUser, type Person } from "@/tests/factories";
import type { Period, World } from "./fvpsa-worlds";
import { addClient, addForm, addSurvivorForm, readGaps, readNumbers, readRecordsBehind } from "./world";

// Creates the worlds of fvpsa-worlds.ts through the API, and reads the report with the names of people and records.

const ADVOCATE = ["forms", "clients", "contacts", "shelter", "reports"] as const;

/** The people who record the worlds, and the shelters. */
export type Stage = {
  owner: Person;
  other: Person;
  viewer: Person;
  shelters: Record<"house" | "motel" | "flats", number>;
};

export async function makeStage(): Promise<Stage> {
  const setup = await makeUser(["shelters"]);
  const shelter = async (name: string, kind: string) => {
    const { status, body } = await call(setup.cookie, "POST", "/api/shelters", {
      shelter: { name, kind, beds: 12 },
    });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.shelter.id as number;
  };
  return {
    owner: await makeUser(ADVOCATE),
    other: await makeUser(ADVOCATE),
    viewer: await makeUser([...ADVOCATE, "all-forms", "export", "reports-setup"]),
    shelters: {
      house: await shelter("Lantern House", "In-house"),
      motel: await shelter("Riverside Motel", "Hotel or motel"),
      flats: await shelter("Bridge Flats", "Transitional"),
    },
  };
}

/** Returns a function from the days of a world to real ones: years from `year`, or days from today. */
export const calendar =
  (year: number) =>
  (day: string): string => {
    if (day.startsWith("T")) return addDays(today(), Number(day.slice(1)));
    return String(year + "XYZ".indexOf(day.charAt(0)) - 1) + day.slice(1);
  };

/** A world in the database: the ids of its people and records by name. */
export type Loaded = { ids: ReadonlyMap<string, number>; nameOf: ReadonlyMap<string, string> };

/** Creates the people and records of a world. */
export async function loadWorld(stage: Stage, world: World, year: number): Promise<Loaded> {
  const on = calendar(year);
  const by = (who: "owner" | "other" = "owner") => stage[who];
  const ids = new Map<string, number>();
  const nameOf = new Map<string, string>();
  const add = (kind: "client" | "form" | "stay" | "contact", name: string, id: number) => {
    ids.set(name, id);
    nameOf.set(`${kind} ${id}`, name);
  };
  const idOf = (name: string): number => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`The world has no ${name} yet`);
    return id;
  };
  const names = new Set(world.records.flatMap((record) => ("of" in record ? [record.of] : [])));
  for (const name of names) {
    const { born: [years, day] = [35, "01-01"], ...person } = world.people?.[name] ?? {};
    const values = { born: `${year - years}-${day}`, ...person };
    add("client", name, await addClient(stage.owner, values));
  }
  for (const record of world.records) {
    if ("form" in record && "codes" in record) {
      const rows = record.codes.map((code) => [code, 10] as const);
      const { status = "Served" as const } = record;
      const work = {
        status,
        ...(record.type && { type: record.type }),
        ...(status !== "Served" && { reasons: ["agencyCapacity"] }),
      };
      add("form", record.form, await addForm(by(record.by), idOf(record.of), on(record.on), rows, work));
    } else if ("survivor" in record)
      add(
        "form",
        record.survivor,
        await addSurvivorForm(stage.owner, idOf(record.of), on(record.on), record),
      );
    else if ("stay" in record) {
      const stay = {
        clientId: idOf(record.of),
        shelterId: stage.shelters[record.in],
        adults: record.adults ?? 0,
        childrenUnderThirteen: record.children ?? 0,
      };
      const enteredOn = on(record.from);
      const leftOn = record.to && on(record.to);
      if (record.stored) {
        const dates = { enteredOn: new Date(enteredOn), leftOn: leftOn === null ? null : new Date(leftOn) };
        const data = { ...stay, ...dates, userId: by(record.by).id, overlapping: true };
        add("stay", record.stay, (await db().stay.create({ data })).id);
      } else {
        const sent = { stay: { ...stay, enteredOn, leftOn } };
        const { status, body } = await call(by(record.by).cookie, "POST", "/api/stays", sent);
        expect(status, JSON.stringify(body)).toBe(201);
        add("stay", record.stay, body.stay.id);
      }
    } else if ("contact" in record) {
      const { id: contactKindId } = await db().contactKind.findUniqueOrThrow({
        where: { name: record.kind },
      });
      const contact = {
        contactKindId,
        contactedOn: on(record.on),
        number: record.number ?? 1,
        ...(record.turnedAway !== undefined && {
          shelterRequested: true,
          turnedAwayReason: record.turnedAway,
          adults: record.adults ?? 0,
          children: record.children ?? 0,
        }),
      };
      const { status, body } = await call(by(record.by).cookie, "POST", "/api/contacts", { contact });
      expect(status, JSON.stringify(body)).toBe(201);
      add("contact", record.contact, body.contact.id);
      if (record.form) {
        const linked = { contact: { contactKindId, formId: idOf(record.form) } };
        const { status, body: answer } = await call(
          by(record.by).cookie,
          "PUT",
          `/api/contacts/${body.contact.id}`,
          linked,
        );
        expect(status, JSON.stringify(answer)).toBe(200);
      }
    }
  }
  return { ids, nameOf };
}

/** Replaces the seeded rows of a world from its days until the end of Z. */
export async function mapWorld(stage: Stage, { mappings = [] }: World, year: number): Promise<void> {
  if (mappings.length === 0) return;
  const on = calendar(year);
  const sources = {
    shelter: async (name: string) => stage.shelters[name === "motel" ? "motel" : "house"],
    contact_kind: async (name: string) => (await db().contactKind.findUniqueOrThrow({ where: { name } })).id,
    form_type: async (name: string) => (await db().formType.findUniqueOrThrow({ where: { name } })).id,
  };
  const { setup } = (await call(stage.viewer.cookie, "GET", "/api/reports/fvpsa/setup")).body;
  let rows: { kind: string; source: string; line: string; validFrom: string; validThrough: string | null }[] =
    setup.mappings;
  for (const { kind, of, line, from } of mappings) {
    const source = String(await sources[kind](of));
    rows = rows.flatMap((row) => {
      if (row.kind !== kind || row.source !== source) return [row];
      const first = on(from);
      const last = on("Z-12-31");
      return [
        { ...row, validThrough: addDays(first, -1) },
        { ...row, line, validFrom: first, validThrough: last },
        { ...row, validFrom: addDays(last, 1) },
      ];
    });
  }
  const { yearStart, lockVersion } = setup;
  const sent = { setup: { yearStart, lockVersion, mappings: rows, confirmed: true } };
  const { status, body } = await call(stage.viewer.cookie, "PUT", "/api/reports/fvpsa/setup", sent);
  expect(status, JSON.stringify(body)).toBe(200);
}

/** Returns the number of a line: itself, or what stands after the sum, which must be right. */
export function numberOf(expected: number | string): number {
  if (typeof expected === "number") return expected;
  const [sum = "", result] = expected.split(" = ");
  const total = sum
    .split(" + ")
    .reduce((all, product) => all + product.split("*").reduce((some, factor) => some * Number(factor), 1), 0);
  expect(result === undefined ? total : Number(result), expected).toBe(total);
  return total;
}

/** Returns the query of a period: its days and the filter. */
export async function queryOf(stage: Stage, period: Period, year: number) {
  const on = calendar(year);
  const filters: Record<string, number> = {
    ...(period.by && { userId: stage[period.by].id }),
    ...(period.formType && { formTypeId: await formTypeId(period.formType as "Phone") }),
  };
  return [on(period.from), on(period.to), filters] as const;
}

type Lists = { clients: number[]; forms: number[]; stays?: number[]; contacts?: number[] };

/** Returns the names of the people and records in lists, sorted. */
export const namesIn = ({ nameOf }: Loaded, { clients, forms, stays = [], contacts = [] }: Lists): string[] =>
  [
    ...clients.map((id) => nameOf.get(`client ${id}`) ?? `client ${id}`),
    ...forms.map((id) => nameOf.get(`form ${id}`) ?? `form ${id}`),
    ...stays.map((id) => nameOf.get(`stay ${id}`) ?? `stay ${id}`),
    ...contacts.map((id) => nameOf.get(`contact ${id}`) ?? `contact ${id}`),
  ].sort();

/** Returns the numbers of a period that are not 0. */
export async function readPeriod(stage: Stage, period: Period, year: number) {
  const [from, to, filters] = await queryOf(stage, period, year);
  return readNumbers(stage.viewer, "fvpsa", from, to, filters);
}

/** Lines that list stays or contacts instead of people. */
const LISTS_RECORDS = /^(shelter_nights|stays_begun|along_|unmet_|hotline_)/;

/** Returns the names behind each line of a period. */
export async function readBehind(
  stage: Stage,
  loaded: Loaded,
  period: Period,
  year: number,
  lines?: string[],
) {
  const [from, to, filters] = await queryOf(stage, period, year);
  const behind: Record<string, string[]> = {};
  for (const line of lines ?? linesOf("fvpsa").map(({ key }) => key)) {
    const lists = await readRecordsBehind(stage.viewer, "fvpsa", line, from, to, filters);
    behind[line] = namesIn(loaded, LISTS_RECORDS.test(line) ? { ...lists, clients: [] } : lists);
  }
  return behind;
}

/** Returns the names in each gap of a period that has some. */
export async function readGapNames(stage: Stage, loaded: Loaded, period: Period, year: number) {
  const [from, to] = await queryOf(stage, period, year);
  const gaps = await readGaps(stage.viewer, "fvpsa", from, to);
  return Object.fromEntries(Object.entries(gaps).map(([field, lists]) => [field, namesIn(loaded, lists)]));
}
