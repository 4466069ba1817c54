import { beforeAll, describe, expect, test, vi } from "vitest";
import { BIOGRAPHICAL, DEMOGRAPHIC } from "@/components/clients/sections";
import { factsAt } from "@/components/forms/fields";
import { SECTIONS } from "@/components/forms/sections";
import { join, type SectionSpec } from "@/components/record/section";
import { totalWords } from "@/components/reports/total-words";
import { fieldId } from "@/components/ui/field";
import { clientSchema } from "@/lib/clients/schema";
import type { Reports } from "@/lib/clients/used-in";
import { db } from "@/lib/core/database/client";
import { fieldsOf } from "@/lib/core/fields/facts";
import { serviceStatus } from "@/lib/forms/sections/service-status";
import { survivor } from "@/lib/forms/sections/survivor";
import { NO_LINE } from "@/lib/lookups/report-lines";
import { GAPS, REASON_LINES } from "@/lib/reports/definitions";
import { anchorOnForm, GAP_PLACES, newFormAt } from "@/lib/reports/gap-places";
import { FLAGS, type MappingKind, SEEDED_FLAGS } from "@/lib/reports/mapping";
import { screenQuery } from "@/lib/reports/schema";
import { loadGap, loadLine, loadReport, reportScreenQuery } from "@/lib/reports/screen";
import { formTypes } from "@/prisma/seed-data";
import { actorFor, call } from "@/tests/call";
import { makeUser } from "@/tests/factories";
import { addClient, addForm, addSurvivorForm, makeReporter, type Reporter } from "./world";

let world: Reporter;
beforeAll(async () => {
  world = await makeReporter();
});

const at = (from: string, to: string, more: object = {}) =>
  screenQuery({ from, to }).parse({ from, to, ...more });
const idsIn = (prefix: string, { groups }: SectionSpec) =>
  groups.flatMap(({ path, fields }) => fields.map(({ name }) => fieldId(join(prefix, path, name))));

describe("a gap links to the exact field", () => {
  const TYPES = formTypes.map((type) => ({
    intakeOnly: false,
    phone: false,
    serviceEntry: false,
    survivorEntry: false,
    onCallAdvocacyEntry: false,
    phoneEntry: false,
    legalAdvocacyEntry: false,
    clientBiographicalEntry: false,
    clientDemographicalEntry: false,
    ...type,
  }));
  const onClient = [
    ...idsIn("clientBiographicalEntry", BIOGRAPHICAL),
    ...idsIn("clientDemographicEntry", DEMOGRAPHIC),
  ];

  /** Returns the places on the screen of a form of this type that a link can open. */
  const onForm = (type: (typeof TYPES)[number]) =>
    SECTIONS.filter(({ shows }) => shows(type, "Served")).flatMap(({ id, paths, spec }) => [
      id,
      ...(spec ? idsIn(paths[0] ?? "", spec) : []),
      ...(id === "services" ? [fieldId("form.serviceEntry.otherServiceMinutes")] : []),
    ]);

  test.each(GAPS.map(({ field }) => [field]))(
    "%s, on the client's screen and on every form that has it",
    (field) => {
      const place = GAP_PLACES[field];
      if (place.onClient !== null) expect(onClient).toContain(place.onClient.slice(1));
      const led = TYPES.filter((type) => {
        const anchor = anchorOnForm(place, type);
        if (anchor !== "") expect(onForm(type), type.name).toContain(anchor.slice(1));
        return anchor !== "";
      }).map(({ name }) => name);
      const clientFields = ["Phone", "On-Call Advocacy", "Legal Advocacy", "Survivor"];
      expect(led).toEqual(
        {
          race: clientFields,
          gender: clientFields,
          sex: clientFields,
          age: clientFields,
          victimization: ["On-Call Advocacy", "Legal Advocacy", "Survivor"],
          ownField: [],
          serviceCode: ["Phone", "On-Call Advocacy", "Legal Advocacy", "Service"],
          otherService: ["Phone", "On-Call Advocacy", "Legal Advocacy", "Service"],
          minutes: ["Phone", "On-Call Advocacy", "Legal Advocacy", "Service"],
          openSeries: [],
          openStay: [],
          shelterService: [],
          shelterStay: [],
        }[field],
      );
    },
  );

  test("of victimization, through a new Survivor form, if the client's forms have no survivor section", async () => {
    const { owner, viewer } = world;
    const ann = await addClient(owner);
    await addForm(owner, ann, "1970-10-05", [["SAFETY", 15]]);
    const { rows, place, newFormType } = await loadGap(
      await actorFor(viewer),
      "pmt",
      "victimization",
      at("1970-10-01", "1970-12-31"),
    );
    const { id: survivorType } = await db().formType.findUniqueOrThrow({ where: { name: "Survivor" } });
    expect(newFormType).toEqual({ id: survivorType, name: "Survivor" });
    expect(
      rows.map(({ id, purged, forms }) => [id, purged, forms.map(({ has }) => anchorOnForm(place, has))]),
    ).toEqual([[ann, false, [""]]]);
    expect(rows[0]?.forms.at(-1)?.serviceOn).toBe("1970-10-05");
    expect(newFormAt(ann, survivorType, "1970-10-05", "?from=x")).toBe(
      `/forms/new?from=x&clientId=${ann}&formTypeId=${survivorType}&serviceOn=1970-10-05#${fieldId("form.intakeForm.survivorEntry.offenderRelationshipId")}`,
    );
  });
});

describe("the marker at a field that a report needs", () => {
  /** The fields that determine the line of a value of each kind. */
  const FIELDS: Record<
    Exclude<
      MappingKind,
      | "flag"
      | "service_code"
      | "own_client"
      | "own_form"
      | "fvpsa_service"
      | "sex"
      | "shelter"
      | "contact_kind"
      | "form_type"
    >,
    readonly string[]
  > = {
    victimization: ["survivor.secondaryVictimizationIds"],
    victimization_other: ["survivor.secondaryVictimizationOther"],
    hate_crime: ["survivor.hateCrimeCategoryId"],
    offender_relationship: ["survivor.offenderRelationshipId"],
    ethnicity: ["demographic.ethnicityId"],
    gender: ["demographic.gender"],
    age_bracket: ["biographical.ageBracketId", "demographic.ageBracketId"],
  };

  test("is at exactly the fields by which the report's lines are counted", () => {
    const shape = clientSchema.shape;
    const records = {
      client: clientSchema,
      biographical: shape.clientBiographicalEntry,
      demographic: shape.clientDemographicEntry,
      survivor: survivor.schema,
    };
    const marked = (reports: Reports) =>
      Object.entries(records).flatMap(([record, schema]) =>
        fieldsOf(schema).flatMap(({ name, facts }) =>
          facts.usedIn === reports ? [`${record}.${name}`] : [],
        ),
      );
    const boxes = FLAGS.filter((flag) =>
      Object.entries(SEEDED_FLAGS).some(([name, line]) => name === flag && line !== NO_LINE),
    );
    expect(marked("PMT, PCCD, and FVPSA").sort()).toEqual(
      [...Object.values(FIELDS).flat(), "biographical.dateOfBirth"].sort(),
    );
    expect(marked("PMT and PCCD").sort()).toEqual(boxes.map((flag) => `demographic.${flag}`).sort());
    expect(marked("PCCD")).toEqual(["client.significantOther"]);
  });

  test("is at the heading of the services and of the reasons of the service status, which reports count", () => {
    expect(
      fieldsOf(serviceStatus.schema)
        .map(({ name }) => name)
        .filter((name) => name !== "id"),
    ).toEqual(Object.keys(REASON_LINES));
    const marked = SECTIONS.filter(({ isNeeded }) => isNeeded).map(({ id }) => id);
    expect(marked).toEqual(["services", "service-status"]);
  });

  test("is the same on the form's screen and the client's screen", () => {
    expect(factsAt("client.clientDemographicEntry.ageBracketId").usedIn).toBe("PMT, PCCD, and FVPSA");
    expect(factsAt("form.intakeForm.survivorEntry.offenderRelationshipId").usedIn).toBe(
      "PMT, PCCD, and FVPSA",
    );
    expect(factsAt("client.clientDemographicEntry.homeless").usedIn).toBe("PMT and PCCD");
  });
});

test("the list behind the hotline pages through all contacts and then all clients with forms, and says how many there are", async () => {
  const { owner } = world;
  const { id: kind } = await db().contactKind.findUniqueOrThrow({ where: { name: "Hotline call" } });
  const from = "1968-10-01";
  const to = "1968-12-31";
  const days = ["1968-10-01", "1968-10-02", "1968-10-03"];
  await db().contact.createMany({
    data: days.map((day) => ({
      contactedOn: new Date(day),
      contactKindId: kind,
      userId: owner.id,
      number: 1,
    })),
  });
  const ann = await addClient(owner);
  const callId = await addForm(owner, ann, from, [["SAFETY", 15]], { type: "Phone" });
  const client = await db().client.findUniqueOrThrow({ where: { id: ann } });
  const form = await db().form.findUniqueOrThrow({ where: { id: callId } });
  const ids = Array.from({ length: 501 }, (_, place) => 900_000 + place);
  await db().client.createMany({ data: ids.map((id) => ({ ...client, custom: client.custom ?? {}, id })) });
  const copies = ids.map((id) => ({ ...form, custom: form.custom ?? {}, id, clientId: id }));
  await db().form.createMany({ data: copies });
  const actor = await actorFor(await makeUser(["reports", "contacts", "forms", "all-forms"]));
  const read = (page: number) =>
    loadLine(actor, "fvpsa", "hotline_contacts", at(from, to, { page: String(page), perPage: "100" }));
  const first = await read(1);
  expect(totalWords(first.kind, first.totals)).toBe("3 contacts, 502 clients with forms");
  expect(first.meta.totalPages).toBe(6);
  const pages = [first];
  for (let page = 2; page <= 6; page++) pages.push(await read(page));
  expect(pages.map(({ contacts, rows }) => [contacts.length, rows.length])).toEqual([
    [3, 97],
    ...[100, 100, 100, 100, 5].map((clients) => [0, clients]),
  ]);
  expect(new Set(pages.flatMap(({ rows }) => rows.map(({ id }) => id)))).toEqual(new Set([ann, ...ids]));
});

test.each([
  ["clients", { clients: 1, stays: 0, contacts: 0, events: 0, surveys: 0 }, "1 client"],
  ["clients", { clients: 12_345, stays: 0, contacts: 0, events: 0, surveys: 0 }, "12,345 clients"],
  ["stays", { clients: 0, stays: 2, contacts: 0, events: 0, surveys: 0 }, "2 stays"],
  ["events", { clients: 0, stays: 0, contacts: 0, events: 3, surveys: 0 }, "3 events"],
  ["surveys", { clients: 0, stays: 0, contacts: 0, events: 0, surveys: 1 }, "1 outcome survey"],
  ["contacts", { clients: 0, stays: 0, contacts: 0, events: 0, surveys: 0 }, "0 contacts"],
  ["contacts", { clients: 0, stays: 0, contacts: 1, events: 0, surveys: 0 }, "1 contact"],
  ["contacts", { clients: 1, stays: 0, contacts: 0, events: 0, surveys: 0 }, "1 client with forms"],
  [
    "contacts",
    { clients: 1, stays: 0, contacts: 30, events: 0, surveys: 0 },
    "30 contacts, 1 client with forms",
  ],
] as const)("a list of %s with %o says %j", (kind, totals, words) => {
  expect(totalWords(kind, totals)).toBe(words);
});

test("the list behind a number has pages, which together contain every client once", async () => {
  const { owner, viewer } = world;
  const people = [];
  for (let made = 0; made < 7; made++) {
    const id = await addClient(owner);
    people.push(id);
    await addForm(owner, id, "1971-10-05", [["SAFETY", 15]]);
  }
  const actor = await actorFor(viewer);
  const paged = async (more: object) => {
    const { rows, totals, meta } = await loadLine(
      actor,
      "pmt",
      "individuals_served",
      at("1971-10-01", "1971-12-31", more),
    );
    return { ids: rows.map(({ id }) => id), total: totals.clients, page: meta.page, pages: meta.totalPages };
  };
  const pages = [
    await paged({ perPage: "3" }),
    await paged({ perPage: "3", page: "2" }),
    await paged({ perPage: "3", page: "3" }),
  ];
  expect(pages.map(({ ids, ...rest }) => ({ ...rest, shown: ids.length }))).toEqual([
    { total: 7, page: 1, pages: 3, shown: 3 },
    { total: 7, page: 2, pages: 3, shown: 3 },
    { total: 7, page: 3, pages: 3, shown: 1 },
  ]);
  expect(pages.flatMap(({ ids }) => ids).sort()).toEqual(people.sort());
  // A page past the end shows the last one.
  expect(await paged({ perPage: "3", page: "9" })).toEqual(pages[2]);
});

test("holders of Close Periods are offered to close the months of a past quarter until they are closed", async () => {
  const closer = await makeUser(["reports", "close-periods"]);
  const offersToClose = async (person: { cookie: string }, from: string, to: string) =>
    (await loadReport(await actorFor(person), "pmt", at(from, to))).closes;
  expect(await offersToClose(closer, "1972-10-01", "1972-12-31")).toBe(true);
  expect(await offersToClose(world.viewer, "1972-10-01", "1972-12-31")).toBe(false);
  expect(await offersToClose(closer, "1972-10-01", "1972-12-30")).toBe(false);
  expect(await offersToClose(closer, "2098-10-01", "2098-12-31")).toBe(false);
  const close = (closedThrough: string | null) =>
    call(closer.cookie, "PUT", "/api/closed_periods", { closedThrough });
  expect((await close("1972-12-31")).status).toBe(200);
  try {
    expect(await offersToClose(closer, "1972-10-01", "1972-12-31")).toBe(false);
    expect(await offersToClose(closer, "1973-01-01", "1973-03-31")).toBe(true);
  } finally {
    await close(null);
  }
});

describe("at midnight at the end of the quarter in the program's time zone", () => {
  test("the report screen moves to the quarter that has just ended", () => {
    const defaultPeriodAt = (now: string) => {
      vi.useFakeTimers({ now: new Date(now), toFake: ["Date"] });
      try {
        return reportScreenQuery().parse({}).asked;
      } finally {
        vi.useRealTimers();
      }
    };
    // In Los Angeles it is 23:59:59 on 12/31, then 00:00 on 01/01, long after midnight UTC.
    expect(defaultPeriodAt("2026-01-01T07:59:59Z")).toMatchObject({ from: "2025-07-01", to: "2025-09-30" });
    expect(defaultPeriodAt("2026-01-01T08:00:00Z")).toMatchObject({ from: "2025-10-01", to: "2025-12-31" });
  });

  test("a form counts in the quarter of its date of service, whenever it was written", async () => {
    const { owner, viewer } = world;
    const ann = await addClient(owner);
    const bea = await addClient(owner);
    // One was written after midnight UTC for 12/31, the other before midnight UTC, at noon on 12/31, for the
    // day after.
    const late = await addForm(owner, ann, "1975-12-31", [["SAFETY", 15]]);
    const early = await addForm(owner, bea, "1976-01-01", [["SAFETY", 15]]);
    await addSurvivorForm(owner, ann, "1975-12-31", { victimizations: ["Robbery"] });
    await db()
      .$executeRaw`UPDATE forms SET created_at = CASE id WHEN ${late} THEN '1976-01-01 07:30Z'::timestamptz
      ELSE '1975-12-31 20:00Z' END WHERE id IN (${late}, ${early})`;
    const behind = async (line: string, from: string, to: string) =>
      (await loadLine(await actorFor(viewer), "pmt", line, at(from, to))).rows.map(({ id, forms }) => [
        id,
        forms.map((found) => found.id),
      ]);
    expect(await behind("individuals_served", "1975-10-01", "1975-12-31")).toEqual([[ann, [late]]]);
    expect(await behind("individuals_served", "1976-01-01", "1976-03-31")).toEqual([[bea, [early]]]);
    expect(await behind("individuals_new", "1976-01-01", "1976-03-31")).toEqual([[bea, [early]]]);
    expect(await behind("victim_robbery", "1976-01-01", "1976-03-31")).toEqual([]);
  });
});
