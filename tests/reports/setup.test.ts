import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { NOBODY_HIDDEN } from "@/lib/core/access/scope";
import { db } from "@/lib/core/database/client";
import { addDays, today } from "@/lib/core/text/format";
import { findUnmapped, type Mapping, SEEDED_CODES } from "@/lib/reports/mapping";
import { readMonths, readStates } from "@/lib/reports/overview";
import { monthOf, periodName, quarterOf } from "@/lib/reports/periods";
import { screenQuery } from "@/lib/reports/schema";
import { loadReport } from "@/lib/reports/screen";
import { changedDays } from "@/lib/reports/setup/changed-days";
import { mappingProblems, type SetupResponse } from "@/lib/reports/setup/schema";
import { runBlockedBy } from "@/tests/blocked";
import { actorFor, call } from "@/tests/call";
import { makeUser } from "@/tests/factories";
import {
  addClient,
  addForm,
  addSurvivorForm,
  makeReporter,
  type Reporter,
  readGaps,
  readNumbers,
  readRecordsBehind,
} from "./world";

let world: Reporter;
let seeded: SetupResponse;

const read = async (): Promise<SetupResponse> =>
  (await call(world.viewer.cookie, "GET", "/api/reports/pmt/setup")).body.setup;
const save = (setup: object) => call(world.viewer.cookie, "PUT", "/api/reports/pmt/setup", { setup });

beforeAll(async () => {
  world = await makeReporter();
  seeded = await read();
});
beforeEach(async () => {
  const { lockVersion } = await read();
  expect((await save({ ...seeded, lockVersion, confirmed: true })).status).toBe(200);
});

const sourceOf = (setup: SetupResponse, kind: string, label: string) =>
  setup.sources.find((source) => source.kind === kind && source.label === label)?.source ?? "";
const of = (source: string) => (mapping: Mapping) =>
  mapping.kind === "service_code" && mapping.source === source;

/**
 * Returns the setup with a service code on another line from a day on. Its former rows end the day before.
 */
function withRemappedCode(
  setup: SetupResponse,
  code: string,
  line: string,
  from: string,
  before: string,
): SetupResponse {
  const source = sourceOf(setup, "service_code", code);
  const mappings = setup.mappings.map((mapping) =>
    of(source)(mapping) ? { ...mapping, validThrough: before } : mapping,
  );
  const next = {
    kind: "service_code",
    source,
    formTypeId: null,
    line,
    validFrom: from,
    validThrough: null,
  } as const;
  return { ...setup, mappings: [...mappings, next] };
}

/** Maps a value to a line from the 15th to the end of November. Returns a function that undoes it. */
async function mapInNovember(report: string, kind: string, label: string, line: string, year: number) {
  const url = `/api/reports/${report}/setup`;
  const { setup } = (await call(world.viewer.cookie, "GET", url)).body;
  const source = sourceOf(setup, kind, label);
  expect(source, label).not.toBe("");
  const mappings = setup.mappings.flatMap((mapping: Mapping) =>
    mapping.kind === kind && mapping.source === source
      ? [
          { ...mapping, validThrough: `${year}-11-14` },
          { ...mapping, line, validFrom: `${year}-11-15`, validThrough: `${year}-11-30` },
          { ...mapping, validFrom: `${year}-12-01` },
        ]
      : [mapping],
  );
  const put = async (body: object) => {
    const { status, body: saved } = await call(world.viewer.cookie, "PUT", url, {
      setup: { ...body, confirmed: true },
    });
    expect(status, JSON.stringify(saved)).toBe(200);
    return saved.setup.lockVersion;
  };
  const lockVersion = await put({ ...setup, mappings });
  return () => put({ ...setup, lockVersion });
}

describe("mappings", () => {
  test("exist for every value of the seeded lists, in all reports", async () => {
    for (const report of ["pmt", "pccd", "fvpsa"]) {
      const { setup } = (await call(world.viewer.cookie, "GET", `/api/reports/${report}/setup`)).body;
      const mapped = new Set(setup.mappings.map(({ kind, source }: Mapping) => `${kind} ${source}`));
      const missing = setup.sources.filter(({ kind, source }: Mapping) => !mapped.has(`${kind} ${source}`));
      expect(missing, report).toEqual([]);
      expect(setup.yearStart).toBe(report === "pccd" ? 7 : 10);
    }
  });

  test("of FVPSA are of race, sex, age, and kinds of its own", async () => {
    const fvpsa: SetupResponse = (await call(world.viewer.cookie, "GET", "/api/reports/fvpsa/setup")).body
      .setup;
    const lineOf = (kind: string) =>
      Object.fromEntries(
        fvpsa.sources
          .filter((source) => source.kind === kind)
          .map(({ source, label }) => [
            label,
            fvpsa.mappings.find((mapping) => mapping.kind === kind && mapping.source === source)?.line,
          ]),
      );
    const kinds = ["ethnicity", "age_bracket", "fvpsa_service", "contact_kind", "form_type", "sex"];
    expect([...new Set(fvpsa.sources.map(({ kind }) => kind))]).toEqual(kinds);
    expect([...new Set(fvpsa.mappings.map(({ kind }) => kind))].sort()).toEqual([...kinds].sort());
    expect(
      fvpsa.mappings.every(
        ({ validFrom, validThrough }) => `${validFrom}${validThrough}` === "1900-01-01null",
      ),
    ).toBe(true);
    const none = ["HOTEL", "SHELTER", "INTERPRET", "COMP", "EMERG-AID"];
    expect(lineOf("fvpsa_service")).toEqual(
      Object.fromEntries(
        Object.keys(SEEDED_CODES).map((code) => [
          code,
          code === "COUNSEL-GRP" ? "group" : none.includes(code) ? "none" : "individual",
        ]),
      ),
    );
    expect(lineOf("contact_kind")).toEqual({
      "Hotline call": "hotline",
      "Text or chat": "hotline",
      "Walk-in": "none",
      "Third party": "none",
      "Shelter request": "none",
      "Information only": "none",
    });
    expect(lineOf("form_type")).toEqual({
      Phone: "hotline",
      "On-Call Advocacy": "none",
      "Legal Advocacy": "none",
      Service: "none",
      Survivor: "none",
    });
    expect(lineOf("sex")).toEqual({
      Male: "sex_male",
      Female: "sex_female",
      Unknown: "sex_not_reported",
      Transgender: "sex_not_reported",
      Other: "sex_not_reported",
    });
  });

  test("of FVPSA get a row for each new shelter, contact kind, and form type", async () => {
    const { cookie } = await makeUser(["shelters", "contact-kinds", "form-types"]);
    const add = async (list: string, item: string, values: object) => {
      const { status, body } = await call(cookie, "POST", `/api/${list}`, { [item]: values });
      expect(status, JSON.stringify(body)).toBe(201);
      return String(body[item].id);
    };
    const url = "/api/reports/fvpsa/setup";
    const before = (await call(world.viewer.cookie, "GET", url)).body.setup;
    const expected = [
      [
        "shelter",
        await add("shelters", "shelter", { name: "Row House", kind: "Safe home", beds: 1 }),
        "shelter",
      ],
      [
        "shelter",
        await add("shelters", "shelter", { name: "Row Flats", kind: "Transitional", beds: 1 }),
        "none",
      ],
      ["contact_kind", await add("contact_kinds", "contactKind", { name: "Letter" }), "none"],
      ["form_type", await add("form_types", "formType", { name: "Warm line", phone: true }), "hotline"],
      ["form_type", await add("form_types", "formType", { name: "Court", serviceEntry: true }), "none"],
    ];
    const { mappings, lockVersion } = (await call(world.viewer.cookie, "GET", url)).body.setup;
    for (const [kind, source, line] of expected)
      expect(
        mappings.filter((mapping: Mapping) => mapping.kind === kind && mapping.source === source),
      ).toEqual([{ kind, source, line, formTypeId: null, validFrom: "1900-01-01", validThrough: null }]);
    // A setup that was open meanwhile would delete the rows.
    expect(lockVersion).toBe(before.lockVersion + expected.length);
    expect((await call(world.viewer.cookie, "PUT", url, { setup: before })).body.code).toBe(
      "conflict_version",
    );
  });

  test.each([
    ["shelter", "shelters", "shelter", { kind: "In-house", beds: 1 }],
    ["contact_kind", "contact_kinds", "contactKind", {}],
    ["form_type", "form_types", "formType", { serviceEntry: true }],
    ["fvpsa_service", "service_codes", "serviceCode", {}],
  ])(
    "of FVPSA list the values of %s without regard to case and accents",
    async (kind, list, item, values) => {
      const { cookie } = await makeUser(["shelters", "contact-kinds", "form-types", "service-codes"]);
      const names = ["eden", "Élan", "Zion"];
      const ids: number[] = [];
      for (const name of names.toReversed()) {
        const added = await call(cookie, "POST", `/api/${list}`, { [item]: { ...values, name, code: name } });
        expect(added.status, JSON.stringify(added.body)).toBe(201);
        ids.push(added.body[item].id);
      }
      const { setup } = (await call(world.viewer.cookie, "GET", "/api/reports/fvpsa/setup")).body;
      const labels = setup.sources.flatMap((source: SetupResponse["sources"][number]) =>
        source.kind === kind && names.includes(source.label) ? source.label : [],
      );
      expect(labels).toEqual(names);
      for (const id of ids) expect((await call(cookie, "DELETE", `/api/${list}/${id}`)).status).toBe(204);
    },
  );

  test("of FVPSA decide which service codes are individual or a group, and refuse lines of other kinds", async () => {
    const { owner, viewer } = world;
    const ann = await addClient(owner);
    await addForm(owner, ann, "2014-10-05", [["INTERPRET", 15]]);
    const url = "/api/reports/fvpsa/setup";
    const { setup } = (await call(viewer.cookie, "GET", url)).body;
    const source = sourceOf(setup, "fvpsa_service", "INTERPRET");
    const isRow = (mapping: Mapping) => mapping.kind === "fvpsa_service" && mapping.source === source;
    const withLine = (line: string) => ({
      setup: {
        ...setup,
        mappings: setup.mappings.map((mapping: Mapping) => (isRow(mapping) ? { ...mapping, line } : mapping)),
      },
    });
    const times = async () =>
      (await readNumbers(viewer, "fvpsa", "2014-10-01", "2014-12-31")).groups_adults_times;
    expect(await times()).toBeUndefined();
    for (const line of ["b9_transportation", "advocacy_adults_times", "hotline", "shelter"])
      expect((await call(viewer.cookie, "PUT", url, withLine(line))).status, line).toBe(422);
    const saved = await call(viewer.cookie, "PUT", url, withLine("group"));
    expect(saved.status).toBe(200);
    expect(await times()).toBe(1);
    // Without a row it is a gap, and a new row may be for one form type.
    const { lockVersion } = saved.body.setup;
    const mappings = setup.mappings.filter((mapping: Mapping) => !isRow(mapping));
    const without = await call(viewer.cookie, "PUT", url, { setup: { ...setup, lockVersion, mappings } });
    expect(without.status).toBe(200);
    expect((await readGaps(viewer, "fvpsa", "2014-10-01", "2014-12-31")).serviceCode?.clients).toEqual([ann]);
    const restored = { ...setup, lockVersion: without.body.setup.lockVersion };
    expect((await call(viewer.cookie, "PUT", url, { setup: restored })).status).toBe(200);
  });

  test("changed in the middle of a quarter leave earlier rows on their line", async () => {
    const { owner, viewer } = world;
    const ann = await addClient(owner);
    const early = await addForm(owner, ann, "2004-11-14", [["LAW-ENF", 10]]);
    const late = await addForm(owner, ann, "2004-11-15", [["LAW-ENF", 10]]);
    const setup = withRemappedCode(
      await read(),
      "LAW-ENF",
      "e9_police_interview",
      "2004-11-15",
      "2004-11-14",
    );
    expect((await save(setup)).status).toBe(200);
    expect(await readNumbers(viewer, "pmt", "2004-10-01", "2004-12-31")).toMatchObject({
      b3_police_interview: 1,
      b_individuals: 1,
      e9_police_interview: 1,
      e_individuals: 1,
    });
    const at = ["2004-10-01", "2004-12-31"] as const;
    expect((await readRecordsBehind(viewer, "pmt", "b3_police_interview", ...at)).forms).toEqual([early]);
    expect((await readRecordsBehind(viewer, "pmt", "e9_police_interview", ...at)).forms).toEqual([late]);
    // The other report has its own mappings.
    expect(await readNumbers(viewer, "pccd", ...at)).toMatchObject({ b3_police_interview: 2 });
  });

  test("of a form type take precedence over those without one, and a code may count on several lines", async () => {
    const { owner, viewer } = world;
    const ann = await addClient(owner);
    await addForm(owner, ann, "2005-10-05", [["REFERRAL", 10]]);
    await addForm(owner, ann, "2005-10-06", [["REFERRAL", 10]], { type: "Phone" });
    const setup = await read();
    const row = { kind: "service_code", source: sourceOf(setup, "service_code", "REFERRAL") };
    const { id: phone } = await db().formType.findUniqueOrThrow({ where: { name: "Phone" } });
    const always = { validFrom: "1900-01-01", validThrough: null };
    const more = [
      { ...row, ...always, formTypeId: null, line: "a3_referral_victim_programs" },
      { ...row, ...always, formTypeId: phone, line: "a2_victim_rights" },
    ];
    expect((await save({ ...setup, mappings: [...setup.mappings, ...more] })).status).toBe(200);
    const counts = await readNumbers(viewer, "pmt", "2005-10-01", "2005-12-31");
    expect(Object.fromEntries(Object.entries(counts).filter(([key]) => /^a\d?_/.test(key)))).toEqual({
      a_individuals: 1,
      a2_victim_rights: 1,
      a3_referral_victim_programs: 1,
      a4_referral_other_services: 1,
    });
  });

  test("of one form type only leave a value unmapped for all others, and only its forms of those types are gaps", async () => {
    const { owner, viewer } = world;
    const ann = await addClient(owner);
    const inPerson = await addForm(owner, ann, "2003-10-05", [["CRISIS", 10]]);
    await addForm(owner, ann, "2003-10-06", [["CRISIS", 10]], { type: "Phone" });
    const setup = await read();
    const crisis = sourceOf(setup, "service_code", "CRISIS");
    const arson = sourceOf(setup, "victimization", "Arson");
    const mappings = setup.mappings.filter(
      ({ kind, source, formTypeId }) =>
        !(kind === "service_code" && source === crisis && formTypeId === null) &&
        !(kind === "victimization" && source === arson),
    );
    const missing = (day: string) =>
      findUnmapped(setup.sources, mappings, day).map(({ label, partly }) => [label, partly]);
    expect(findUnmapped(setup.sources, setup.mappings, "2003-10-05")).toEqual([]);
    expect(missing("2003-10-05")).toEqual([
      ["CRISIS", true],
      ["Arson", false],
    ]);
    // This day is before any mapping begins.
    expect(missing("1899-12-31")).toHaveLength(setup.sources.length);
    expect((await save({ ...setup, mappings })).status).toBe(200);
    expect((await readGaps(viewer, "pmt", "2003-10-01", "2003-12-31")).serviceCode).toEqual({
      clients: [ann],
      forms: [inPerson],
    });
    expect(await readNumbers(viewer, "pmt", "2003-10-01", "2003-12-31")).toMatchObject({ c2_hotline: 1 });
  });

  /** Each value is on the second line from the 15th to the end of November. */
  test.each([
    ["pmt", "ethnicity", "Asian", "race_asian", "race_some_other", { ethnicity: "Asian" }],
    ["pmt", "gender", "Male", "gender_male", "gender_other", { gender: "Male" }],
    ["pmt", "age_bracket", "18–24", "age_18_24", "age_60_plus", { bracket: "18–24" }],
    ["fvpsa", "sex", "Male", "sex_male", "sex_not_reported", { gender: "Male" }],
  ] as const)(
    "in %s of %s, such as %s, count by the day that made the client new: %s, then %s",
    async (report, kind, label, line, later, values) => {
      const { owner, viewer } = world;
      const year = { ethnicity: 1961, gender: 1962, age_bracket: 1963, sex: 1964 }[kind];
      const early = await addClient(owner, values);
      const late = await addClient(owner, values);
      await addForm(owner, early, `${year}-11-14`, [["SAFETY", 15]]);
      await addForm(owner, early, `${year}-11-15`, [["SAFETY", 15]]);
      await addForm(owner, late, `${year}-11-15`, [["SAFETY", 15]]);
      const restore = await mapInNovember(report, kind, label, later, year);
      for (const [key, id] of [
        [line, early],
        [later, late],
      ] as const) {
        const { clients } = await readRecordsBehind(viewer, report, key, `${year}-10-01`, `${year}-12-31`);
        expect([key, clients]).toEqual([key, [id]]);
      }
      await restore();
    },
  );

  test.each([
    ["victimization", "Arson", "victim_arson", { victimizations: ["Arson"] }],
    ["victimization_other", "Any text", "victim_other", { other: "Doxxing" }],
    ["hate_crime", "Any category", "victim_hate_crime", { hateCrime: "Race" }],
    ["offender_relationship", "Spouse", "victim_domestic_family_violence", { relationship: "Spouse" }],
  ] as const)(
    "in pmt of %s, such as %s, count by the day of the form that contains them",
    async (kind, label, line, entry) => {
      const { owner, viewer } = world;
      const year = {
        victimization: 1965,
        victimization_other: 1966,
        hate_crime: 1967,
        offender_relationship: 1968,
      }[kind];
      const early = await addClient(owner);
      const late = await addClient(owner);
      for (const id of [early, late]) await addForm(owner, id, `${year}-12-20`, [["SAFETY", 15]]);
      await addSurvivorForm(owner, early, `${year}-11-14`, entry);
      await addSurvivorForm(owner, late, `${year}-11-15`, entry);
      await mapInNovember("pmt", kind, label, "victim_terrorism", year);
      for (const [key, id] of [
        [line, early],
        ["victim_terrorism", late],
      ] as const) {
        const { clients } = await readRecordsBehind(viewer, "pmt", key, `${year}-10-01`, `${year}-12-31`);
        expect([key, clients]).toEqual([key, [id]]);
      }
    },
  );

  test("in fvpsa of service codes count by the day of the form", async () => {
    const { owner, viewer } = world;
    const ann = await addClient(owner);
    for (const day of ["14", "15"]) await addForm(owner, ann, `1969-11-${day}`, [["CRISIS", 15]]);
    const restore = await mapInNovember("fvpsa", "fvpsa_service", "CRISIS", "group", 1969);
    expect(await readNumbers(viewer, "fvpsa", "1969-10-01", "1969-12-31")).toMatchObject({
      advocacy_adults_times: 1,
      groups_adults_times: 1,
    });
    await restore();
  });

  test("of boxes count by the first counted form in the period of any advocate, also under filters", async () => {
    const { owner, other, viewer } = world;
    const ann = await addClient(owner, { flags: ["homeless"] });
    await addForm(owner, ann, "1977-05-01", [["SAFETY", 15]]);
    await addForm(other, ann, "1977-06-01", [["SAFETY", 15]]);
    const setup = await read();
    const mappings = setup.mappings.flatMap((mapping) =>
      mapping.kind === "flag" && mapping.source === "homeless"
        ? [
            { ...mapping, validThrough: "1977-05-14" },
            { ...mapping, line: "special_other", validFrom: "1977-05-15" },
          ]
        : [mapping],
    );
    expect((await save({ ...setup, mappings, confirmed: true })).status).toBe(200);
    for (const filters of [undefined, { userId: owner.id }, { userId: other.id }]) {
      const found = await readNumbers(viewer, "pmt", "1977-04-01", "1977-06-30", filters);
      expect([filters, found.special_homeless, found.special_other]).toEqual([filters, 1, undefined]);
    }
  });

  test("to no line are not a gap, while a race without a mapping is not reported and is a gap", async () => {
    const { owner, viewer } = world;
    const ann = await addClient(owner, { ethnicity: "Asian" });
    await addForm(owner, ann, "2009-10-05", [["TRANSPORT", 10]]);
    const setup = await read();
    const transport = sourceOf(setup, "service_code", "TRANSPORT");
    const asian = sourceOf(setup, "ethnicity", "Asian");
    const mappings = setup.mappings
      .filter(({ kind, source }) => kind !== "ethnicity" || source !== asian)
      .map((mapping) => (of(transport)(mapping) ? { ...mapping, line: "none" } : mapping));
    expect((await save({ ...setup, mappings })).status).toBe(200);
    const counts = await readNumbers(viewer, "pmt", "2009-10-01", "2009-12-31");
    expect(counts).toMatchObject({ individuals_served: 1, race_not_reported: 1 });
    expect(counts.b9_transportation).toBeUndefined();
    expect(Object.keys(await readGaps(viewer, "pmt", "2009-10-01", "2009-12-31")).sort()).toEqual([
      "race",
      "victimization",
    ]);
  });

  test("can be tried against a period before they are saved", async () => {
    const { owner, viewer } = world;
    const ann = await addClient(owner);
    await addForm(owner, ann, "2012-10-05", [["CHILD", 10]]);
    const setup = withRemappedCode(
      await read(),
      "CHILD",
      "b8_child_dependent_care",
      "2000-01-01",
      "1999-12-31",
    );
    const tried = await call(
      viewer.cookie,
      "POST",
      "/api/reports/pmt/setup/try?from=2012-10-01&to=2012-12-31",
      { setup },
    );
    expect(tried.status).toBe(200);
    expect(
      tried.body.changes.map(({ key, before, after }: Record<string, unknown>) => [key, before, after]),
    ).toEqual([
      ["b4_individual_advocacy", 1, 0],
      ["b8_child_dependent_care", 0, 1],
    ]);
    expect(await readNumbers(viewer, "pmt", "2012-10-01", "2012-12-31")).toMatchObject({
      b4_individual_advocacy: 1,
    });
  });

  test("that are invalid are refused by the name of the field, and nothing is saved", async () => {
    const setup = await read();
    const at = setup.mappings.findIndex(({ kind }) => kind === "ethnicity");
    const wrong = (change: Partial<Mapping>) => ({
      ...setup,
      mappings: setup.mappings.map((mapping, place) => (place === at ? { ...mapping, ...change } : mapping)),
    });
    const refusedFields = async (body: object) => {
      const { status, body: answer } = await save(body);
      // Without the field next to it, a message needs a subject.
      for (const message of [answer.error].flat()) expect(message).toMatch(/^[A-Z]/);
      return [status, Object.keys(answer.fields ?? {})];
    };
    const field = (name: string) => [422, [`setup.mappings.${at}.${name}`]];
    expect(await refusedFields(wrong({ line: "gender_male" }))).toEqual(field("line"));
    expect(await refusedFields(wrong({ source: "999999" }))).toEqual(field("source"));
    expect(await refusedFields(wrong({ validThrough: "1899-12-31" }))).toEqual(field("validThrough"));
    expect(await refusedFields(wrong({ validFrom: "2026-02-30" }))).toEqual(field("validFrom"));
    expect(await refusedFields(wrong({ formTypeId: 1 }))).toEqual(field("formTypeId"));
    const [code] = setup.mappings.filter(({ kind }) => kind === "service_code");
    expect(await refusedFields({ ...setup, mappings: [{ ...code, formTypeId: 999_999 }] })).toEqual([
      422,
      ["setup.mappings.0.formTypeId"],
    ]);
    // The value is on two lines of a block that adds up.
    const twice = { ...setup.mappings[at], line: "race_multiple" };
    expect(await refusedFields({ ...setup, mappings: [...setup.mappings, twice] })).toEqual([
      422,
      [`setup.mappings.${setup.mappings.length}.validFrom`],
    ]);
    expect(await refusedFields({ ...setup, yearStart: 13 })).toEqual([422, ["setup.yearStart"]]);
    expect(await read()).toEqual(setup);
  });

  test("are at most 200 rows of one value and 5,000 in all, and the error names the field", async () => {
    const setup = await read();
    const row = setup.mappings.find(of(sourceOf(setup, "service_code", "HOUSING")));
    const rows = (count: number) => Array.from({ length: count }, () => ({ ...row }));
    const { body, status } = await save({ ...setup, mappings: rows(5_000) });
    expect([status, body.fields["setup.mappings.200.source"]]).toEqual([
      422,
      "One value can have at most 200 rows",
    ]);
    // The rows after it are not compared with each other.
    expect(Object.keys(body.fields)).not.toContain("setup.mappings.201.validFrom");
    const tooMany = await save({ ...setup, mappings: rows(5_001) });
    expect([tooMany.status, tooMany.body.fields]).toEqual([
      422,
      { "setup.mappings": expect.stringContaining("at most 5000 entries") },
    ]);
    // 200 rows one after the other are allowed, in any order.
    const days = Array.from({ length: 200 }, (_, at) => addDays("2000-01-01", at));
    const others = setup.mappings.filter((mapping) => mapping !== row);
    const allowed = days.map((day) => ({ ...row, validFrom: day, validThrough: day })).reverse();
    expect((await save({ ...setup, mappings: [...others, ...allowed], confirmed: true })).status).toBe(200);
    const tried = await call(
      world.viewer.cookie,
      "POST",
      "/api/reports/pmt/setup/try?from=2012-10-01&to=2012-12-31",
      { setup: { ...setup, mappings: rows(5_000) } },
    );
    expect([tried.status, Object.keys(tried.body.fields)[0]]).toEqual([422, "setup.mappings.200.source"]);
  });

  test("conflict and change days exactly as comparing all pairs and all days finds", () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const day = (at: number) => addDays("2020-01-01", at);
    const end = ({ validThrough }: Mapping) => validThrough ?? "9999";
    const rowsOf = (kind: "service_code" | "ethnicity", lines: readonly string[]) =>
      Array.from({ length: 1 + random(6) }, (): Mapping => {
        const first = random(12);
        return {
          kind,
          source: "1",
          formTypeId: null,
          line: lines[random(lines.length)] ?? "",
          validFrom: day(first),
          validThrough: random(4) === 0 ? null : day(first + random(6)),
        };
      });
    const kinds = [
      ["service_code", ["none", "a2_victim_rights", "b9_transportation"]],
      ["ethnicity", ["none", "race_asian", "race_multiple"]],
    ] as const;
    for (let round = 0; round < 400; round++) {
      const [kind, lines] = kinds[round % 2] ?? kinds[0];
      const rows = rowsOf(kind, lines);
      const isAllowed = (a: Mapping, b: Mapping) =>
        a.validFrom > end(b) ||
        b.validFrom > end(a) ||
        (kind === "service_code" && a.line !== b.line && a.line !== "none" && b.line !== "none");
      const areAllowed = rows.every((a, at) => rows.slice(at + 1).every((b) => isAllowed(a, b)));
      const source = { kind, source: "1", label: "One" };
      const problems = mappingProblems("pmt", rows, [source], new Set());
      expect([rows, Object.keys(problems).length === 0]).toEqual([rows, areAllowed]);

      const present = rowsOf(kind, lines);
      const linesOn = (list: Mapping[], on: string) =>
        [
          ...new Set(list.filter((row) => row.validFrom <= on && on <= end(row)).map(({ line }) => line)),
        ].sort();
      const changed = changedDays(rows, present);
      for (let at = -1; at < 20; at++)
        expect([
          rows,
          present,
          day(at),
          changed.some(({ from, to }) => from <= day(at) && day(at) <= to),
        ]).toEqual([rows, present, day(at), `${linesOn(rows, day(at))}` !== `${linesOn(present, day(at))}`]);
    }
  });

  test("are not overwritten by a user who opened them before someone else saved", async () => {
    const setup = await read();
    expect((await save({ ...setup, dueDays: setup.dueDays + 1, confirmed: true })).status).toBe(200);
    const { status, body } = await save(setup);
    expect([status, body.code]).toEqual([409, "conflict_version"]);
  });
});

test("the year start in Settings decides who is new, in the report and on the overview", async () => {
  const { owner, viewer } = world;
  const ann = await addClient(owner);
  await addForm(owner, ann, "2017-11-05", [["SAFETY", 15]]);
  await addForm(owner, ann, "2018-02-05", [["SAFETY", 15]]);
  const fresh = async () => (await readNumbers(viewer, "pmt", "2018-01-01", "2018-03-31")).individuals_new;
  const onOverview = async () => {
    const { months, yearStart } = await readMonths(NOBODY_HIDDEN, "2018-03-31");
    return [yearStart, months.filter((month) => month.fresh > 0).map(({ month }) => month)];
  };
  expect(await fresh()).toBeUndefined();
  expect(await onOverview()).toEqual([10, ["2017-11-01"]]);
  expect((await save({ ...(await read()), yearStart: 1 })).status).toBe(200);
  expect(await fresh()).toBe(1);
  expect(await onOverview()).toEqual([1, ["2017-11-01", "2018-02-01"]]);
});

describe("a submitted quarter", () => {
  const QUARTER = { from: "1980-10-01", to: "1980-12-31" };

  test("keeps its numbers and later shows the changes, number by number and form by form", async () => {
    const { owner, other, viewer } = world;
    const ann = await addClient(owner);
    const bea = await addClient(owner);
    const editedId = await addForm(owner, ann, "1980-10-05", [["SAFETY", 15]]);
    const removed = await addForm(owner, bea, "1980-10-06", [["SAFETY", 15]]);
    const response = await call(viewer.cookie, "POST", "/api/reports/pmt/submissions", {
      submission: QUARTER,
    });
    expect(response.status).toBe(201);
    expect(response.body.submission).toMatchObject({
      ...QUARTER,
      submittedBy: `${viewer.firstName} ${viewer.lastName}`,
    });
    const url = `/api/reports/pmt/submissions/${response.body.submission.id}`;
    const line = async (key: string, by = viewer) => {
      const { submission } = (await call(by.cookie, "GET", url)).body;
      const { count, now, forms, more } = submission.lines.find(
        (found: { key: string }) => found.key === key,
      );
      return { count, now, forms, more };
    };
    expect(await line("individuals_served")).toEqual({ count: 2, now: 2, forms: [], more: 0 });
    expect(await line("c1_crisis_intervention")).toEqual({ count: 2, now: 2, forms: [], more: 0 });

    // One form is deleted, one is added late, and one is edited.
    expect((await call(owner.cookie, "DELETE", `/api/forms/${removed}`)).status).toBe(204);
    const late = await addForm(other, ann, "1980-12-31", [
      ["SAFETY", 15],
      ["COUNSEL-IND", 30],
    ]);
    const { form: stored } = (await call(owner.cookie, "GET", `/api/forms/${editedId}`)).body;
    const { clientId, formTypeId, serviceOn, serviceStatus, lockVersion } = stored;
    const body = { clientId, formTypeId, serviceOn, serviceStatus, lockVersion, verbalConfirmation: false };
    expect((await call(owner.cookie, "PUT", `/api/forms/${editedId}`, { form: body })).status).toBe(200);

    const changes = [
      { formId: editedId, clientId: ann, change: "edited" },
      { clientId: bea, change: "removed" },
      { formId: late, clientId: ann, change: "added" },
    ];
    expect(await line("individuals_served")).toEqual({ count: 2, now: 1, forms: changes, more: 0 });
    expect(await line("c1_crisis_intervention")).toEqual({ count: 2, now: 2, forms: changes, more: 0 });
    expect(await line("c4_individual_counseling")).toEqual({
      count: 0,
      now: 1,
      forms: [changes[2]],
      more: 0,
    });

    const board = await makeUser(["reports", "all-forms"]);
    expect(await line("individuals_served", board)).toEqual({ count: 2, now: 1, forms: [], more: 3 });
    const list = (await call(board.cookie, "GET", "/api/reports/pmt/submissions")).body.submissions;
    expect(list.map(({ id }: { id: number }) => id)).toEqual([response.body.submission.id]);
    expect((await call(board.cookie, "GET", url.replace("pmt", "pccd"))).status).toBe(404);
  });

  test.each([
    ["pmt", "1980-10-01", "1980-11-30", 422],
    ["pmt", "1980-10-01", "1981-09-30", 422],
    ["pccd", "1980-07-01", "1981-06-30", 422],
    ["fvpsa", "1980-10-01", "1980-11-30", 422],
    ["fvpsa", "1981-01-01", "1981-12-31", 422],
    ["fvpsa", "1980-10-01", "1981-09-30", 201],
    ["fvpsa", "1980-10-01", "1980-12-31", 201],
  ])("of %s from %s to %s get %i", async (report, from, to, expected) => {
    const { status, body } = await call(world.viewer.cookie, "POST", `/api/reports/${report}/submissions`, {
      submission: { from, to },
    });
    expect([status, Object.keys(body.fields ?? {})]).toEqual([
      expected,
      expected === 422 ? ["submission.to"] : [],
    ]);
  });

  test("must have ended: the current quarter is refused, and the last one is not", async () => {
    const submit = (period: object) =>
      call(world.viewer.cookie, "POST", "/api/reports/pmt/submissions", { submission: period });
    const { status, body } = await submit(quarterOf(today()));
    expect([status, body.fields]).toEqual([
      422,
      { "submission.to": "This period has not ended. Only periods that have ended can be submitted." },
    ]);
    expect((await submit(quarterOf(today(), -1))).status).toBe(201);
  });

  test("can be withdrawn with a reason by its author or holders of Reports Setup, and is kept", async () => {
    const { owner, viewer } = world;
    const period = { from: "1978-10-01", to: "1978-12-31" };
    const author = await makeUser(["reports", "all-forms", "forms", "clients"]);
    const colleague = await makeUser(["reports", "all-forms"]);
    await addForm(owner, await addClient(owner), "1978-10-05", [["SAFETY", 15]]);
    const url = "/api/reports/pmt/submissions";
    const submit = async () =>
      (await call(author.cookie, "POST", url, { submission: period })).body.submission.id;
    const withdraw = (by: { cookie: string }, id: number, reason = "A form was missing") =>
      call(by.cookie, "POST", `${url}/${id}/withdraw`, { reason });
    const listed = async () =>
      (await call(author.cookie, "GET", url)).body.submissions
        .filter(({ from }: { from: string }) => from === period.from)
        .map(({ id, withdrawn }: { id: number; withdrawn: object | null }) => [id, withdrawn !== null]);
    const first = await submit();
    const second = await submit();
    expect(await listed()).toEqual([
      [second, false],
      [first, false],
    ]);
    for (const reason of ["", "  ", "x".repeat(2_001)]) {
      const { status, body } = await withdraw(author, second, reason);
      expect([reason.length, status, Object.keys(body.fields)]).toEqual([reason.length, 422, ["reason"]]);
    }
    expect((await withdraw(colleague, second)).status).toBe(403);
    expect((await withdraw(author, 999_999)).status).toBe(404);
    const early = await withdraw(author, first);
    expect([early.status, early.body.code]).toEqual([409, "conflict_in_use"]);
    const { submission } = (await withdraw(author, second)).body;
    const name = `${author.firstName} ${author.lastName}`;
    expect(submission.withdrawn).toEqual({
      at: expect.any(String),
      by: name,
      reason: "A form was missing",
    });
    expect((await withdraw(author, second)).body.code).toBe("conflict_in_use");
    // The earlier one is the latest now. The setup's holder may withdraw it, too.
    expect(await listed()).toEqual([
      [second, true],
      [first, false],
    ]);
    const stateOf = async () => {
      vi.useFakeTimers({ now: new Date("1979-01-10T20:00:00Z"), toFake: ["Date"] });
      try {
        return (await readStates(await actorFor(author), "1979-01-10")).find(({ key }) => key === "pmt");
      } finally {
        vi.useRealTimers();
      }
    };
    expect((await stateOf())?.submittedAt).not.toBeNull();
    expect((await withdraw(viewer, first)).status).toBe(200);
    expect((await stateOf())?.submittedAt).toBeNull();
    // It keeps its numbers, and can still be compared.
    const { lines, withdrawn } = (await call(author.cookie, "GET", `${url}/${second}`)).body.submission;
    expect(lines.find(({ key }: { key: string }) => key === "individuals_served")).toMatchObject({
      count: 1,
      now: 1,
    });
    expect(withdrawn).toMatchObject({ by: name });
    const third = await submit();
    expect(await listed()).toEqual([
      [third, false],
      [second, true],
      [first, true],
    ]);
    const auditor = await makeUser(["audit-log"]);
    const { auditEvents } = (
      await call(
        auditor.cookie,
        "GET",
        `/api/audit_events?filters[entity]=submission&filters[action]=withdrawn`,
      )
    ).body;
    expect(
      auditEvents.map(({ userId, entityId }: { userId: number; entityId: number }) => [userId, entityId]),
    ).toEqual([
      [viewer.id, first],
      [author.id, second],
    ]);
  });

  test("are listed 100 at a time, and the response and the screen say that there are more", async () => {
    const { viewer } = world;
    const period = { from: "1982-10-01", to: "1982-12-31" };
    const days = { fromOn: new Date(period.from), toOn: new Date(period.to) };
    const made = await db().reportSubmission.createManyAndReturn({
      data: Array.from({ length: 101 }, () => ({ report: "pccd", userId: viewer.id, ...days })),
    });
    const ids = made.map(({ id }) => id).sort((a, b) => b - a);
    const page = async (before?: number) => {
      const query = before === undefined ? "" : `?before=${before}`;
      const { body } = await call(viewer.cookie, "GET", `/api/reports/pccd/submissions${query}`);
      return { ids: body.submissions.map(({ id }: { id: number }) => id), more: body.more };
    };
    expect(await page()).toEqual({ ids: ids.slice(0, 100), more: true });
    const rest = await page(ids[99]);
    expect([rest.ids[0], rest.more]).toEqual([ids[100], false]);
    const actor = await actorFor(viewer);
    const screen = await loadReport(actor, "pccd", screenQuery(period).parse(period));
    expect([screen.submissions?.length, screen.moreSubmissions]).toEqual([100, true]);
    // The one that counts may be older than the listed ones, if these are withdrawn.
    await db().reportSubmission.updateMany({
      where: { id: { in: ids.slice(0, 100) } },
      data: { withdrawnAt: new Date(), withdrawReason: "Sent twice" },
    });
    const counting = await loadReport(actor, "pccd", screenQuery(period).parse(period));
    expect([counting.counting?.id, counting.submissions?.every(({ withdrawn }) => withdrawn)]).toEqual([
      ids[100],
      true,
    ]);
    const state = (await readStates(actor, "1983-01-10")).find(({ key }) => key === "pccd");
    expect(state?.submittedAt).toBe(counting.counting?.submittedAt);
    await db().reportSubmission.deleteMany({ where: { id: ids[0] } });
    const whole = await loadReport(actor, "pccd", screenQuery(period).parse(period));
    expect([whole.submissions?.length, whole.moreSubmissions]).toEqual([100, false]);
  });

  test("counted by older rules keep their lines and words, and list no changes", async () => {
    const { viewer } = world;
    const { id } = await db().reportSubmission.create({
      data: {
        report: "fvpsa",
        rules: 1,
        userId: viewer.id,
        fromOn: new Date("1984-10-01"),
        toOn: new Date("1984-12-31"),
        lines: {
          create: [
            { line: "people_new", label: "New people", unit: "new", count: 4 },
            { line: "accompanying_adults", label: "Adults who came along then", unit: "times", count: 7 },
          ],
        },
      },
    });
    const url = `/api/reports/fvpsa/submissions/${id}`;
    const { submission } = (await call(viewer.cookie, "GET", url)).body;
    expect(submission).toMatchObject({ id, olderRules: true });
    const rest = { now: null, forms: [], stays: [], more: 0 };
    expect(submission.lines).toEqual([
      { key: "people_new", label: "New people", unit: "new", count: 4, ...rest },
      { key: "accompanying_adults", label: "Adults who came along then", unit: "times", count: 7, ...rest },
    ]);
    const file = (await call(viewer.cookie, "GET", `${url}/changes.csv`)).body;
    expect(file).toContain("counted by the rules before 1.0");
    expect(file).toContain("accompanying_adults,Adults who came along then,times,7,,");
    expect(file).not.toContain("no such line");
  });
});

describe("a mapping with a day in a submitted or closed period", () => {
  const url = "/api/reports/pmt/setup";
  const changed = async (from: string, extra: object = {}) => {
    const setup = (await call(world.viewer.cookie, "GET", url)).body.setup;
    const source = sourceOf(setup, "service_code", "HOUSING");
    const mappings = setup.mappings.flatMap((mapping: Mapping) =>
      of(source)(mapping) && mapping.validFrom <= from && (mapping.validThrough ?? from) >= from
        ? [
            { ...mapping, validThrough: addDays(from, -1) },
            {
              ...mapping,
              line: mapping.line.startsWith("d3") ? "d2_transitional" : "d3_relocation",
              validFrom: from,
            },
          ]
        : [mapping],
    );
    return call(world.viewer.cookie, "PUT", url, { setup: { ...setup, mappings, ...extra } });
  };

  test("is refused if the period is closed while it is saved", async () => {
    const closing = "UPDATE closed_periods SET closed_through = '1986-06-30' WHERE id = 1";
    const { status, body } = await runBlockedBy(closing, () => changed("1986-06-15"));
    expect([status, body.error]).toEqual([409, expect.arrayContaining(["June 1986 is closed."])]);
    await db().closedPeriod.update({ where: { id: 1 }, data: { closedThrough: null } });
  });

  test.each(["pmt", "fvpsa"])(
    "is never submitted half: a submission of %s is refused while mappings of pmt are saved",
    async (report) => {
      const saving = "UPDATE report_settings SET lock_version = lock_version + 1 WHERE report = 'pmt'";
      const submit = () =>
        call(world.viewer.cookie, "POST", `/api/reports/${report}/submissions`, {
          submission: { from: "1986-10-01", to: "1986-12-31" },
        });
      const { status, body } = await runBlockedBy(saving, submit);
      expect([status, body.code]).toEqual([409, "conflict_busy"]);
      expect((await submit()).status).toBe(201);
    },
  );

  test("or another start of the year asks first, and a due day alone does not", async () => {
    const { viewer } = world;
    const closer = await makeUser(["close-periods"]);
    const period = { from: "1985-10-01", to: "1985-12-31" };
    const submitted = await call(viewer.cookie, "POST", "/api/reports/pccd/submissions", {
      submission: period,
    });
    expect(submitted.status).toBe(201);
    const close = (closedThrough: string | null) =>
      call(closer.cookie, "PUT", "/api/closed_periods", { closedThrough });
    const through = quarterOf(today(), -1).to;
    expect((await close(through)).status).toBe(200);
    const path = "/api/reports/pccd/setup";
    const { setup } = (await call(viewer.cookie, "GET", path)).body;
    const put = (changes: object) => call(viewer.cookie, "PUT", path, { setup: { ...setup, ...changes } });
    const asked = await put({ yearStart: 10 });
    expect([asked.status, asked.body.code]).toEqual([409, "conflict_in_use"]);
    expect(asked.body.error).toEqual(
      expect.arrayContaining([
        expect.stringContaining("October–December 1985, is submitted."),
        `All months through ${periodName(monthOf(through))} are closed.`,
      ]),
    );
    // The year of one report does not count in another.
    expect(asked.body.error.join(" ")).not.toMatch(/FVPSA|PMT/);
    expect((await call(viewer.cookie, "GET", path)).body.setup).toEqual(setup);
    const due = await put({ dueDays: setup.dueDays + 1 });
    expect(due.status).toBe(200);
    const { lockVersion } = due.body.setup;
    const confirmed = await put({ yearStart: 10, lockVersion, confirmed: true });
    expect([confirmed.status, confirmed.body.setup.yearStart]).toEqual([200, 10]);
    const back = { ...setup, lockVersion: confirmed.body.setup.lockVersion, confirmed: true };
    expect((await call(viewer.cookie, "PUT", path, { setup: back })).status).toBe(200);
    expect((await close(null)).status).toBe(200);
  });

  test("asks first, names the submissions and months, and changes nothing until it is confirmed", async () => {
    const { viewer } = world;
    const closer = await makeUser(["close-periods"]);
    for (const [report, from, to] of [
      ["pmt", "1988-10-01", "1988-12-31"],
      ["pccd", "1989-01-01", "1989-03-31"],
      ["fvpsa", "1988-10-01", "1989-09-30"],
    ]) {
      const response = await call(viewer.cookie, "POST", `/api/reports/${report}/submissions`, {
        submission: { from, to },
      });
      expect(response.status).toBe(201);
    }
    // A withdrawn submission does not count.
    const withdrawn = { from: "1989-01-01", to: "1989-03-31" };
    const submissions = "/api/reports/pmt/submissions";
    const { submission } = (await call(viewer.cookie, "POST", submissions, { submission: withdrawn })).body;
    expect((await changed("1989-01-15")).body.error).toContain(
      "OVC PMT (VOCA), January–March 1989, is submitted.",
    );
    const reason = { reason: "A form was missing" };
    const path = `${submissions}/${submission.id}/withdraw`;
    expect((await call(viewer.cookie, "POST", path, reason)).status).toBe(200);
    const before = (await call(viewer.cookie, "GET", url)).body.setup;
    const asked = await changed("1988-11-15");
    expect([asked.status, asked.body.code]).toEqual([409, "conflict_in_use"]);
    // PCCD has mappings of its own. FVPSA uses those of PMT for service codes.
    expect(asked.body.error).toContain("OVC PMT (VOCA), October–December 1988, is submitted.");
    expect(asked.body.error).toContain(
      "FVPSA (shelter and services), October 1988–September 1989, is submitted.",
    );
    expect(asked.body.error.join(" ")).not.toMatch(/PCCD|January–March 1989/);
    expect((await call(viewer.cookie, "GET", url)).body.setup).toEqual(before);
    // Later days ask nothing, although the first row began in 1900: it only got a last day.
    const later = addDays(today(), 30);
    expect((await changed(later)).status).toBe(200);
    const closed = (closedThrough: string | null) =>
      call(closer.cookie, "PUT", "/api/closed_periods", { closedThrough });
    const quarter = quarterOf(today(), -1);
    const first = monthOf(quarter.from, 1);
    const last = monthOf(quarter.to);
    expect((await closed(quarter.to)).status).toBe(200);
    const words = await changed(addDays(first.from, 14));
    expect(words.status).toBe(409);
    expect(words.body.error).toContain(
      `The months from ${periodName(first)} to ${periodName(last)} are closed.`,
    );
    expect((await changed(addDays(first.from, 14), { confirmed: true })).status).toBe(200);
    expect((await closed(null)).status).toBe(200);
  });
});
