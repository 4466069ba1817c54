import { beforeAll, describe, expect, test } from "vitest";
import { clientSchema } from "@/lib/clients/schema";
import { db } from "@/lib/core/database/client";
import { toWire } from "@/lib/core/fields/wire";
import { runBlockedBy } from "@/tests/blocked";
import { call } from "@/tests/call";
import { formTypeId, makeForm, makeUser, type Person } from "@/tests/factories";
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

// Cases with counts worked out by hand before the reports existed. `readNumbers` returns every line that is not zero,
// so each case also covers the other lines.

let world: Reporter;
beforeAll(async () => {
  world = await makeReporter();
});

/** The demographic lines that one new white woman between 25 and 59 counts on. */
const NEW_WOMAN = { individuals_new: 1, race_white_non_latino: 1, gender_female: 1, age_25_59: 1 };

describe("individuals", () => {
  test("are counted once however many forms, form types and advocates they have in the quarter", async () => {
    const { owner, other, viewer } = world;
    const ann = await addClient(owner);
    await addForm(owner, ann, "2001-10-05", [
      ["CRISIS", 30],
      ["SAFETY", 15],
    ]);
    await addForm(
      owner,
      ann,
      "2001-11-05",
      [
        ["CRISIS", 20],
        ["REFERRAL", 10],
      ],
      { type: "Phone" },
    );
    await addForm(other, ann, "2001-12-05", [["COUNSEL-IND", 60]]);
    expect(await readNumbers(viewer, "pmt", "2001-10-01", "2001-12-31")).toEqual({
      individuals_served: 1,
      ...NEW_WOMAN,
      a_individuals: 1,
      a4_referral_other_services: 1,
      c_individuals: 1,
      // CRISIS and SAFETY in person. On the phone CRISIS is a hotline call.
      c1_crisis_intervention: 2,
      c2_hotline: 1,
      c4_individual_counseling: 1,
    });
  });

  test("who are significant others count as served and new, but never in VAWA", async () => {
    const { owner, viewer } = world;
    const ann = await addClient(owner);
    const ben = await addClient(owner, { significantOther: true, gender: "Male" });
    await addForm(owner, ann, "2002-10-05", [["HOSPITAL", 90]]);
    await addForm(owner, ben, "2002-10-05", [["COUNSEL-IND", 45]]);
    expect(await readNumbers(viewer, "pccd", "2002-10-01", "2002-12-31")).toEqual({
      individuals_served: 2,
      individuals_new: 2,
      individuals_primary: 1,
      individuals_significant_other: 1,
      race_white_non_latino: 2,
      gender_female: 1,
      gender_male: 1,
      age_25_59: 2,
      b_individuals: 1,
      b1_emergency_medical: 1,
      c_individuals: 1,
      c4_individual_counseling: 1,
      service_minutes: 135,
      vawa_served: 1,
    });
  });

  test("who were merged into one client are one individual, with all of its forms", async () => {
    const { owner, viewer } = world;
    const ann = await addClient(owner);
    const anne = await addClient(owner);
    await addForm(owner, ann, "2003-10-05", [["CASE-MGMT", 30]]);
    await addForm(owner, anne, "2003-11-05", [["CASE-MGMT", 30]]);
    const before = await readNumbers(viewer, "pmt", "2003-10-01", "2003-12-31");
    expect(before).toMatchObject({ individuals_served: 2, individuals_new: 2, b4_individual_advocacy: 2 });
    const read = async (id: number) => (await call(viewer.cookie, "GET", `/api/clients/${id}`)).body.client;
    const kept = await read(ann);
    const second = await read(anne);
    const merged = await call(viewer.cookie, "POST", `/api/clients/${ann}/merge`, {
      client: toWire(clientSchema, kept),
      other: { id: anne, lockVersion: second.lockVersion },
    });
    expect(merged.status).toBe(200);
    expect(await readNumbers(viewer, "pmt", "2003-10-01", "2003-12-31")).toEqual({
      individuals_served: 1,
      ...NEW_WOMAN,
      b_individuals: 1,
      b4_individual_advocacy: 2,
    });
  });

  test("are no longer counted after their form is deleted", async () => {
    const { owner, viewer } = world;
    const ann = await addClient(owner);
    const only = await addForm(owner, ann, "2004-10-05", [["TRANSPORT", 30]]);
    expect(await readNumbers(viewer, "pmt", "2004-10-01", "2004-12-31")).toMatchObject({
      individuals_served: 1,
    });
    expect((await call(owner.cookie, "DELETE", `/api/forms/${only}`)).status).toBe(204);
    expect((await call(owner.cookie, "DELETE", `/api/clients/${ann}`)).status).toBe(204);
    expect(await readNumbers(viewer, "pmt", "2004-10-01", "2004-12-31")).toEqual({});
  });
});

describe("a new individual", () => {
  test("in June is new again in July under PCCD, whose year starts then, but not under PMT", async () => {
    const { owner, viewer } = world;
    const ann = await addClient(owner);
    await addForm(owner, ann, "2006-06-20", [["SAFETY", 15]]);
    await addForm(owner, ann, "2006-07-03", [["SAFETY", 15]]);
    const fresh = async (report: "pmt" | "pccd", from: string, to: string) =>
      (await readNumbers(viewer, report, from, to)).individuals_new ?? 0;
    expect(await fresh("pccd", "2006-04-01", "2006-06-30")).toBe(1);
    expect(await fresh("pccd", "2006-07-01", "2006-09-30")).toBe(1);
    expect(await fresh("pmt", "2006-04-01", "2006-06-30")).toBe(1);
    expect(await fresh("pmt", "2006-07-01", "2006-09-30")).toBe(0);
    // She counts once, although the range includes the end of one year and the start of the next.
    expect(await fresh("pccd", "2006-06-01", "2006-07-31")).toBe(1);
    expect(await readNumbers(viewer, "pccd", "2006-07-01", "2006-09-30")).toMatchObject({
      individuals_served: 1,
      individuals_new: 1,
    });
    expect(await readNumbers(viewer, "pmt", "2006-07-01", "2006-09-30")).toEqual({
      individuals_served: 1,
      c_individuals: 1,
      c1_crisis_intervention: 1,
    });
  });

  test.each([
    ["in November", "2007-11-10", "2007-12"],
    ["on the first day of the fiscal year", "1987-07-01", "1987-12"],
  ])("%s is no longer new in December, and counts as continuing under PCCD", async (_, first, month) => {
    const { owner, viewer } = world;
    const ann = await addClient(owner);
    await addForm(owner, ann, first, [["SAFETY", 15]]);
    await addForm(owner, ann, `${month}-10`, [["SAFETY", 20]]);
    expect(await readNumbers(viewer, "pccd", `${month}-01`, `${month}-31`)).toEqual({
      individuals_served: 1,
      individuals_continuing: 1,
      individuals_primary: 1,
      c_individuals: 1,
      c1_crisis_intervention: 1,
      service_minutes: 20,
      vawa_served: 1,
    });
  });

  test("is still new after a form that is Not Served, has no minutes or is a Survivor form", async () => {
    const { owner, viewer } = world;
    const ann = await addClient(owner);
    await addForm(owner, ann, "2008-10-05", [["SAFETY", 15]], { status: "Not Served", reasons: ["other"] });
    await addForm(owner, ann, "2008-10-12", []);
    await addSurvivorForm(owner, ann, "2008-10-20", { relationship: "Spouse" });
    await addForm(owner, ann, "2008-12-05", [["SAFETY", 15]]);
    expect(await readNumbers(viewer, "pmt", "2008-10-01", "2008-11-30")).toEqual({});
    expect(await readNumbers(viewer, "pmt", "2008-12-01", "2008-12-31")).toEqual({
      individuals_served: 1,
      ...NEW_WOMAN,
      victim_domestic_family_violence: 1,
      c_individuals: 1,
      c1_crisis_intervention: 1,
    });
  });

  test("is counted once, by age on the earliest day, over a range with two year starts", async () => {
    const { owner, viewer } = world;
    const teen = await addClient(owner, { born: "1992-06-15" });
    await addForm(owner, teen, "2010-02-01", [["SAFETY", 15]]);
    await addForm(owner, teen, "2010-11-01", [["SAFETY", 15]]);
    await addForm(owner, teen, "2011-11-01", [["SAFETY", 15]]);
    // She is 17 on the first day as a new client, 18 and 19 on the others.
    expect(await readNumbers(viewer, "pmt", "2010-01-01", "2011-12-31")).toEqual({
      individuals_served: 1,
      individuals_new: 1,
      race_white_non_latino: 1,
      gender_female: 1,
      age_13_17: 1,
      c_individuals: 1,
      c1_crisis_intervention: 3,
    });
  });

  test("is determined from every form, while the advocate and form type filters only choose the counted forms", async () => {
    const { owner, other, viewer } = world;
    const ann = await addClient(owner);
    const bea = await addClient(owner);
    await addForm(owner, ann, "2013-11-02", [["SAFETY", 15]]);
    await addForm(other, ann, "2013-12-02", [["COUNSEL-IND", 15]]);
    await addForm(owner, bea, "2013-12-03", [["CRISIS", 15]], { type: "Phone" });
    const decemberNumbers = (filters: Record<string, number>) =>
      readNumbers(viewer, "pmt", "2013-12-01", "2013-12-31", filters);
    // Ann is new through the other advocate's form in November.
    expect(await decemberNumbers({ userId: other.id })).toEqual({
      individuals_served: 1,
      c_individuals: 1,
      c4_individual_counseling: 1,
    });
    expect(await readNumbers(viewer, "pmt", "2013-10-01", "2013-12-31", { userId: other.id })).toEqual({
      individuals_served: 1,
      ...NEW_WOMAN,
      c_individuals: 1,
      c4_individual_counseling: 1,
    });
    const { id: phone } = await db().formType.findUniqueOrThrow({ where: { name: "Phone" } });
    expect(await decemberNumbers({ formTypeId: phone })).toEqual({
      individuals_served: 1,
      ...NEW_WOMAN,
      c_individuals: 1,
      c2_hotline: 1,
    });
    expect(await decemberNumbers({ formTypeId: phone, userId: other.id })).toEqual({});
  });
});

describe("a counted form", () => {
  test("belongs to the quarter by its date of service, including the last day", async () => {
    const { owner, viewer } = world;
    const ann = await addClient(owner);
    const bea = await addClient(owner);
    await addForm(owner, ann, "2014-12-31", [["SAFETY", 15]]);
    await addForm(owner, bea, "2015-01-01", [["SAFETY", 15]]);
    expect(
      await readRecordsBehind(viewer, "pmt", "individuals_served", "2014-10-01", "2014-12-31"),
    ).toMatchObject({
      clients: [ann],
    });
    expect(
      await readRecordsBehind(viewer, "pmt", "individuals_served", "2015-01-01", "2015-03-31"),
    ).toMatchObject({
      clients: [bea],
    });
    expect(
      await readRecordsBehind(viewer, "pmt", "individuals_served", "2014-12-31", "2014-12-31"),
    ).toMatchObject({
      clients: [ann],
    });
  });

  test("needs minutes of a code: no minutes, Other Service and rows on Not Served forms do not count and are gaps", async () => {
    const { owner, viewer } = world;
    const ann = await addClient(owner);
    const bea = await addClient(owner);
    const cat = await addClient(owner);
    const empty = await addForm(owner, ann, "2016-10-05", []);
    const other = await addForm(owner, bea, "2016-10-05", [], {
      otherMinutes: 25,
      status: "Partially Served",
      reasons: ["other"],
    });
    await addForm(owner, cat, "2016-10-05", [["SAFETY", 30]], { status: "Not Served", reasons: ["other"] });
    expect(await readNumbers(viewer, "pmt", "2016-10-01", "2016-12-31")).toEqual({});
    expect(await readGaps(viewer, "pmt", "2016-10-01", "2016-12-31")).toEqual({
      minutes: { clients: [ann], forms: [empty] },
      otherService: { clients: [bea], forms: [other] },
    });
  });

  test("counts whether it is reconciled or not", async () => {
    const { owner, viewer } = world;
    const reviewed = await addForm(owner, await addClient(owner), "1970-10-05", [["TRANSPORT", 15]]);
    await addForm(owner, await addClient(owner), "1970-10-06", [["TRANSPORT", 15]]);
    const url = `/api/forms/${reviewed}/reconcile`;
    expect((await call(viewer.cookie, "POST", url, { reconciled: true })).status).toBe(200);
    expect(await readNumbers(viewer, "pmt", "1970-10-01", "1970-12-31")).toEqual({
      individuals_served: 2,
      individuals_new: 2,
      race_white_non_latino: 2,
      gender_female: 2,
      // Born on January 1, 1970.
      age_0_12: 2,
      b_individuals: 2,
      b9_transportation: 2,
    });
  });

  test("does not count the people in its shelter details, and its referral text is no referral", async () => {
    const { owner, viewer } = world;
    const ann = await addClient(owner, { born: "1940-01-01" });
    const { id: serviceCodeId } = await db().serviceCode.findUniqueOrThrow({ where: { code: "HOTEL" } });
    await makeForm(
      owner,
      {
        formTypeId: await formTypeId("Service"),
        serviceOn: "1971-10-05",
        serviceEntryAttributes: {
          serviceProvidedEntriesAttributes: [
            {
              serviceCodeId,
              minutes: 20,
              referrals: "The food bank",
              hotelShelterEntryAttributes: { adults: 2, childrenUnderThirteen: 3 },
            },
          ],
        },
      },
      ann,
    );
    expect(await readNumbers(viewer, "pccd", "1971-10-01", "1971-12-31")).toEqual({
      individuals_served: 1,
      ...NEW_WOMAN,
      individuals_primary: 1,
      vawa_served: 1,
      d_individuals: 1,
      d1_emergency_shelter: 1,
      service_minutes: 20,
    });
  });

  test("counts one time per row, so the same code twice on a form is two times", async () => {
    const { owner, viewer } = world;
    const ann = await addClient(owner);
    await addForm(owner, ann, "2017-10-05", [
      ["COUNSEL-IND", 30],
      ["COUNSEL-IND", 20],
    ]);
    expect(await readNumbers(viewer, "pccd", "2017-10-01", "2017-12-31")).toMatchObject({
      c_individuals: 1,
      c4_individual_counseling: 2,
      service_minutes: 50,
    });
  });
});

describe("demographics", () => {
  test("are not reported if they are unknown, and only blanks are gaps", async () => {
    const { owner, viewer } = world;
    const blank = await addClient(owner, { known: false });
    const declined = await addClient(owner, { ethnicity: "Not reported", gender: "Unknown" });
    const blankForm = await addForm(owner, blank, "2018-10-05", [["SAFETY", 15]]);
    const declinedForm = await addForm(owner, declined, "2018-10-06", [["SAFETY", 15]]);
    expect(await readNumbers(viewer, "pmt", "2018-10-01", "2018-12-31")).toEqual({
      individuals_served: 2,
      individuals_new: 2,
      race_not_reported: 2,
      gender_not_reported: 2,
      age_25_59: 1,
      age_not_reported: 1,
      c_individuals: 2,
      c1_crisis_intervention: 2,
    });
    expect(await readGaps(viewer, "pmt", "2018-10-01", "2018-12-31")).toEqual({
      race: { clients: [blank], forms: [blankForm] },
      gender: { clients: [blank, declined], forms: [blankForm, declinedForm] },
      age: { clients: [blank], forms: [blankForm] },
      victimization: { clients: [blank, declined], forms: [blankForm, declinedForm] },
    });
  });

  test("take the age from the date of birth, else the demographic bracket, else the biographical one", async () => {
    const { owner, viewer } = world;
    const people = [
      // The two brackets disagree: the demographic one counts.
      await addClient(owner, { bracket: "18–24", biographicalBracket: "60 and older" }),
      await addClient(owner, { biographicalBracket: "60 and older" }),
      await addClient(owner, { born: "2008-05-05", bracket: "45–59" }),
      // The person is not yet born on the day, so the bracket counts.
      await addClient(owner, { born: "2019-12-01", bracket: "13–17" }),
    ];
    for (const id of people) await addForm(owner, id, "2019-11-05", [["SAFETY", 15]]);
    expect(await readNumbers(viewer, "pmt", "2019-10-01", "2019-12-31")).toMatchObject({
      age_18_24: 1,
      age_60_plus: 1,
      age_0_12: 1,
      age_13_17: 1,
    });
  });

  test("make a client born on February 29 one year older on March 1", async () => {
    const { owner, viewer } = world;
    const early = await addClient(owner, { born: "1980-02-29" });
    const late = await addClient(owner, { born: "1980-02-29" });
    await addForm(owner, early, "1998-02-28", [["SAFETY", 15]]);
    await addForm(owner, late, "1998-03-01", [["SAFETY", 15]]);
    expect(await readRecordsBehind(viewer, "pmt", "age_13_17", "1998-01-01", "1998-03-31")).toMatchObject({
      clients: [early],
    });
    expect(await readRecordsBehind(viewer, "pmt", "age_18_24", "1998-01-01", "1998-03-31")).toMatchObject({
      clients: [late],
    });
  });

  test("map the names in lists, and add up to the new individuals in each block", async () => {
    const { owner, viewer } = world;
    const people = [
      { ethnicity: "Multiracial", gender: "Transgender" },
      { ethnicity: "Middle Eastern or North African", gender: "Other" },
      { ethnicity: "Other", gender: "Male" },
      { ethnicity: "Hispanic or Latino", gender: "Female" },
    ];
    for (const values of people) {
      await addForm(owner, await addClient(owner, values), "1999-10-05", [["SAFETY", 15]]);
    }
    expect(await readNumbers(viewer, "pmt", "1999-10-01", "1999-12-31")).toEqual({
      individuals_served: 4,
      individuals_new: 4,
      race_multiple: 1,
      race_some_other: 2,
      race_hispanic_latino: 1,
      gender_other: 2,
      gender_male: 1,
      gender_female: 1,
      age_25_59: 4,
      c_individuals: 4,
      c1_crisis_intervention: 4,
    });
  });
});

describe("victimizations", () => {
  test("are the union of the period's entries, and several sources of one line do not count as several victimizations", async () => {
    const { owner, viewer } = world;
    const ann = await addClient(owner);
    const bea = await addClient(owner);
    await addForm(owner, ann, "1990-10-05", [["SAFETY", 15]]);
    const first = await addSurvivorForm(owner, ann, "1990-10-06", { relationship: "Spouse" });
    const second = await addSurvivorForm(owner, ann, "1990-11-06", {
      victimizations: ["Strangulation"],
      hateCrime: "Race",
    });
    await addForm(owner, bea, "1990-10-05", [["SAFETY", 15]]);
    await addSurvivorForm(owner, bea, "1990-10-06", { victimizations: ["Stalking", "Harassment"] });
    expect(await readNumbers(viewer, "pmt", "1990-10-01", "1990-12-31")).toMatchObject({
      individuals_served: 2,
      victim_domestic_family_violence: 1,
      victim_adult_physical_assault: 1,
      victim_hate_crime: 1,
      victim_stalking_harassment: 1,
      victim_multiple: 1,
    });
    // The list has the forms with the entries, not the counted forms.
    expect(await readRecordsBehind(viewer, "pmt", "victim_multiple", "1990-10-01", "1990-12-31")).toEqual({
      clients: [ann],
      forms: [first, second],
    });
    expect(await readGaps(viewer, "pmt", "1990-10-01", "1990-12-31")).toEqual({});
  });

  test("come from the latest earlier entry if the period has none, and from no other", async () => {
    const { owner, viewer } = world;
    const ann = await addClient(owner);
    const bea = await addClient(owner);
    const cat = await addClient(owner);
    await addSurvivorForm(owner, ann, "1991-01-05", { victimizations: ["Robbery"] });
    const latest = await addSurvivorForm(owner, ann, "1991-03-05", {
      victimizations: ["Burglary"],
      other: "Doxxing",
    });
    await addSurvivorForm(owner, ann, "1992-02-05", { victimizations: ["Arson"] });
    await addSurvivorForm(owner, bea, "1991-01-05", { victimizations: ["Robbery"] });
    // Stranger is mapped to no line.
    const stranger = await addSurvivorForm(owner, bea, "1991-12-31", { relationship: "Stranger" });
    for (const id of [ann, bea]) await addForm(owner, id, "1991-10-05", [["SAFETY", 15]]);
    const catForm = await addForm(owner, cat, "1991-10-05", [["SAFETY", 15]]);
    const found = await readNumbers(viewer, "pmt", "1991-10-01", "1991-12-31");
    expect(
      Object.keys(found)
        .filter((key) => key.startsWith("victim_"))
        .sort(),
    ).toEqual(["victim_burglary", "victim_multiple", "victim_other"]);
    expect(await readRecordsBehind(viewer, "pmt", "victim_burglary", "1991-10-01", "1991-12-31")).toEqual({
      clients: [ann],
      forms: [latest],
    });
    expect(await readGaps(viewer, "pmt", "1991-10-01", "1991-12-31")).toEqual({
      victimization: { clients: [bea, cat], forms: [stranger, catForm] },
    });
  });

  test("come from the latest earlier entry by its day, reconciled or not, even if another was written later", async () => {
    const { owner, viewer } = world;
    for (const reviewed of ["latest", "earlier"] as const) {
      const id = await addClient(owner);
      const latest = await addSurvivorForm(owner, id, "1988-03-05", { victimizations: ["Burglary"] });
      const earlier = await addSurvivorForm(owner, id, "1988-01-05", { victimizations: ["Robbery"] });
      const url = `/api/forms/${{ latest, earlier }[reviewed]}/reconcile`;
      expect((await call(viewer.cookie, "POST", url, { reconciled: true })).status).toBe(200);
      await addForm(owner, id, "1988-10-05", [["SAFETY", 15]]);
    }
    const numbers = await readNumbers(viewer, "pmt", "1988-10-01", "1988-12-31");
    expect(Object.entries(numbers).filter(([key]) => key.startsWith("victim_"))).toEqual([
      ["victim_burglary", 2],
    ]);
  });

  test("come from forms with any status, and of two earlier ones on one day from the one that was written later", async () => {
    const { owner, viewer } = world;
    const ann = await addClient(owner);
    const bea = await addClient(owner);
    for (const id of [ann, bea]) await addForm(owner, id, "1972-10-05", [["SAFETY", 15]]);
    await addSurvivorForm(owner, ann, "1972-10-06", { victimizations: ["Bullying"], status: "Not Served" });
    await addSurvivorForm(owner, bea, "1972-09-01", { victimizations: ["Robbery"] });
    await addSurvivorForm(owner, bea, "1972-09-01", { victimizations: ["Burglary"] });
    const numbers = await readNumbers(viewer, "pmt", "1972-10-01", "1972-12-31");
    expect(Object.entries(numbers).filter(([key]) => key.startsWith("victim_"))).toEqual([
      ["victim_bullying", 1],
      ["victim_burglary", 1],
    ]);
  });

  test("that are all mapped to no line are a gap, by the forms that have them, but not next to one on a line", async () => {
    const { owner, viewer } = world;
    const ann = await addClient(owner);
    const bea = await addClient(owner);
    for (const id of [ann, bea]) await addForm(owner, id, "1994-10-05", [["SAFETY", 15]]);
    const strangers = await addSurvivorForm(owner, ann, "1994-10-06", { relationship: "Stranger" });
    await addSurvivorForm(owner, bea, "1994-10-06", { relationship: "Stranger" });
    await addSurvivorForm(owner, bea, "1994-10-07", { victimizations: ["Robbery"] });
    expect(await readGaps(viewer, "pmt", "1994-10-01", "1994-12-31")).toEqual({
      victimization: { clients: [ann], forms: [strangers] },
    });
    expect(
      (await readRecordsBehind(viewer, "pmt", "victim_robbery", "1994-10-01", "1994-12-31")).clients,
    ).toEqual([bea]);
  });

  test("are counted from every form of a served client, whichever advocate wrote it", async () => {
    const { owner, other, viewer } = world;
    const ann = await addClient(owner);
    await addForm(owner, ann, "1993-10-05", [["SAFETY", 15]]);
    await addSurvivorForm(other, ann, "1993-10-06", { victimizations: ["Human trafficking: labor"] });
    expect(await readNumbers(viewer, "pmt", "1993-10-01", "1993-12-31", { userId: owner.id })).toMatchObject({
      victim_trafficking_labor: 1,
    });
    expect(await readNumbers(viewer, "pmt", "1993-10-01", "1993-12-31", { userId: other.id })).toEqual({});
  });
});

test("special classes count all served individuals, include deaf under disability, and never derive LGBTQ from gender", async () => {
  const { owner, viewer } = world;
  const people = [
    { flags: ["disability", "disabilityPhysical", "disabilityDeaf"] },
    { flags: ["lgbt", "military", "elderly", "remoteArea"] },
    { gender: "Transgender", flags: ["limitedEnglish", "immigrant", "homeless"] },
  ];
  for (const values of people) {
    const id = await addClient(owner, values);
    await addForm(owner, id, "1994-10-05", [["SAFETY", 15]]);
    await addForm(owner, id, "1995-02-05", [["SAFETY", 15]]);
  }
  // In the second quarter no individual is new, but the classes are still counted.
  expect(await readNumbers(viewer, "pmt", "1995-01-01", "1995-03-31")).toEqual({
    individuals_served: 3,
    special_deaf_hard_of_hearing: 1,
    special_disability: 1,
    special_lgbtq: 1,
    special_veteran: 1,
    special_limited_english: 1,
    special_immigrant_refugee_asylum: 1,
    special_homeless: 1,
    c_individuals: 3,
    c1_crisis_intervention: 3,
  });
});

describe("service codes", () => {
  test("of compensation count individuals on their line and nothing anywhere else", async () => {
    const { owner, viewer } = world;
    const ann = await addClient(owner);
    const bea = await addClient(owner);
    await addForm(owner, ann, "1996-10-05", [["COMP", 15]]);
    await addForm(owner, ann, "1996-11-05", [
      ["COMP", 15],
      ["LAW-ENF", 10],
    ]);
    await addForm(owner, bea, "1996-11-05", [["COMP", 15]]);
    expect(await readNumbers(viewer, "pmt", "1996-10-01", "1996-12-31")).toEqual({
      individuals_served: 2,
      individuals_new: 2,
      race_white_non_latino: 2,
      gender_female: 2,
      age_25_59: 2,
      compensation_applications: 2,
      b_individuals: 1,
      b3_police_interview: 1,
    });
  });

  test("that are withdrawn count on the forms that have them", async () => {
    const { owner, viewer } = world;
    const ann = await addClient(owner);
    await addForm(owner, ann, "1997-10-05", [["INTERPRET", 15]]);
    const { id } = await db().serviceCode.findUniqueOrThrow({ where: { code: "INTERPRET" } });
    const offered = await db().serviceCodeFormType.findMany({ where: { serviceCodeId: id } });
    await db().serviceCodeFormType.deleteMany({ where: { serviceCodeId: id } });
    try {
      expect(await readNumbers(viewer, "pmt", "1997-10-01", "1997-12-31")).toMatchObject({
        b10_interpreter: 1,
      });
    } finally {
      await db().serviceCodeFormType.createMany({ data: offered });
    }
  });

  test("without a mapping leave their client served, are on no line, and are a gap", async () => {
    const { owner, viewer } = world;
    const { id: type } = await db().formType.findUniqueOrThrow({ where: { name: "Service" } });
    const made = await call(viewer.cookie, "POST", "/api/service_codes", {
      serviceCode: { code: "ART", description: "", formTypeIds: [type] },
    });
    expect(made.status).toBe(201);
    const ann = await addClient(owner);
    const art = await addForm(owner, ann, "2020-10-05", [["ART", 40]]);
    expect(await readNumbers(viewer, "pccd", "2020-10-01", "2020-12-31")).toEqual({
      individuals_served: 1,
      ...NEW_WOMAN,
      individuals_primary: 1,
      service_minutes: 40,
      vawa_served: 1,
    });
    expect(await readGaps(viewer, "pccd", "2020-10-01", "2020-12-31")).toEqual({
      serviceCode: { clients: [ann], forms: [art] },
      victimization: { clients: [ann], forms: [art] },
    });
  });
});

test("VAWA gives each primary victim one status, and each reason once per person", async () => {
  const { owner, viewer } = world;
  const served = await addClient(owner);
  await addForm(owner, served, "1986-10-05", [["SAFETY", 15]]);
  // A form without minutes counts only if it is Not Served.
  await addForm(owner, served, "1986-10-06", [], { status: "Partially Served", reasons: ["disabilities"] });
  const both = await addClient(owner);
  await addForm(owner, both, "1986-10-05", [["SAFETY", 15]]);
  await addForm(owner, both, "1986-12-31", [], {
    status: "Not Served",
    reasons: ["agencyCapacity", "other"],
  });
  const partly = await addClient(owner);
  await addForm(owner, partly, "1986-10-05", [["SAFETY", 15]], {
    status: "Partially Served",
    reasons: ["agencyCapacity"],
  });
  const never = await addClient(owner);
  await addForm(owner, never, "1986-10-05", [], { status: "Not Served", reasons: ["languageCapacities"] });
  await addForm(owner, never, "1986-11-05", [["SAFETY", 5]], {
    status: "Not Served",
    reasons: ["languageCapacities"],
  });
  const significant = await addClient(owner, { significantOther: true });
  await addForm(owner, significant, "1986-10-05", [], { status: "Not Served", reasons: ["other"] });
  const found = await readNumbers(viewer, "pccd", "1986-10-01", "1986-12-31");
  expect(Object.fromEntries(Object.entries(found).filter(([key]) => /^(vawa|reason|ind)/.test(key)))).toEqual(
    {
      individuals_served: 3,
      individuals_new: 3,
      individuals_primary: 3,
      vawa_served: 1,
      vawa_partially_served: 2,
      vawa_not_served: 1,
      reason_capacity: 2,
      reason_other: 1,
      reason_language: 1,
    },
  );
  expect(
    await readRecordsBehind(viewer, "pccd", "vawa_not_served", "1986-10-01", "1986-12-31"),
  ).toMatchObject({
    clients: [never],
  });
});

test("the advocate and form type filters choose the counted forms for VAWA, but all Not Served forms of the period apply", async () => {
  const { owner, other, viewer } = world;
  const shared = await addClient(owner);
  await addForm(owner, shared, "1976-10-05", [["SAFETY", 15]]);
  await addForm(other, shared, "1976-10-06", [], { status: "Not Served", reasons: ["languageCapacities"] });
  const theirs = await addClient(other);
  await addForm(other, theirs, "1976-10-07", [["SAFETY", 15]]);
  const never = await addClient(other);
  await addForm(other, never, "1976-12-31", [], { status: "Not Served", reasons: ["agencyCapacity"] });
  const at = ["1976-10-01", "1976-12-31"] as const;
  const vawa = async (filter: Record<string, number>) =>
    Object.fromEntries(
      Object.entries(await readNumbers(viewer, "pccd", ...at, filter)).filter(([key]) =>
        /^(vawa|reason|individuals_s)/.test(key),
      ),
    );
  const both = { vawa_partially_served: 1, vawa_not_served: 1, reason_language: 1, reason_capacity: 1 };
  expect(await vawa({})).toEqual({ individuals_served: 2, vawa_served: 1, ...both });
  expect(await vawa({ userId: owner.id })).toEqual({ individuals_served: 1, ...both });
  expect(await vawa({ userId: other.id })).toEqual({
    individuals_served: 1,
    vawa_served: 1,
    vawa_not_served: 2,
    reason_language: 1,
    reason_capacity: 1,
  });
});

describe("the list behind a number", () => {
  test("contains the records the user may see, without All Forms one's own", async () => {
    const { owner, other, viewer } = world;
    const board = await makeUser(["reports", "all-forms"]);
    const advocate = await makeUser(["forms", "reports"]);
    const ann = await addClient(owner);
    const bea = await addClient(owner);
    const mine = await addForm(advocate, ann, "1985-10-05", [["SAFETY", 15]]);
    const theirs = await addForm(other, bea, "1985-10-06", [
      ["SAFETY", 15],
      ["SAFETY", 5],
    ]);
    const at = ["1985-10-01", "1985-12-31"] as const;
    expect(await readNumbers(board, "pmt", ...at)).toMatchObject({
      individuals_served: 2,
      c1_crisis_intervention: 3,
    });
    expect(await readRecordsBehind(board, "pmt", "individuals_served", ...at)).toEqual({
      clients: [],
      forms: [],
    });
    expect(await readRecordsBehind(board, "pmt", "c1_crisis_intervention", ...at)).toEqual({
      clients: [],
      forms: [],
    });
    // The advocate may open Bea, but must not learn that a colleague has served her.
    const own = { userId: advocate.id };
    for (const line of ["individuals_served", "c1_crisis_intervention"])
      expect(await readRecordsBehind(advocate, "pmt", line, ...at, own)).toEqual({
        clients: [ann],
        forms: [mine],
      });
    expect(await readRecordsBehind(viewer, "pmt", "c1_crisis_intervention", ...at)).toEqual({
      clients: [ann, bea],
      forms: [mine, theirs],
    });
  });

  test("contains no colleague's forms for users who see only their own", async () => {
    const advocate = await makeUser(["forms", "reports"]);
    const { other, viewer } = world;
    const at = "from=1985-10-01&to=1985-12-31";
    const status = async (by: typeof other, path: string, { id }: typeof other) =>
      (await call(by.cookie, "GET", `/api/reports/pmt/${path}?${at}&userId=${id}`)).status;
    for (const path of ["lines/individuals_served", "gaps"]) {
      expect(await status(advocate, path, other), path).toBe(422);
      expect(await status(advocate, path, advocate), path).toBe(200);
      expect(await status(viewer, path, other), path).toBe(200);
    }
  });
});

/** Removes a form's minutes while a report is read: the second of its three blocks waits for the lock. */
const removeMinutesDuring = <Answer>(formId: number, work: () => Promise<Answer>) =>
  runBlockedBy(
    `LOCK TABLE survivor_entries; UPDATE service_provided_entries SET minutes = 0
     WHERE service_entry_id IN (SELECT id FROM service_entries WHERE form_id = ${formId})`,
    work,
  );

test("all numbers of a report are from one moment, whatever is saved while they are counted", async () => {
  const { owner, viewer } = world;
  const formId = await addForm(owner, await addClient(owner), "1983-10-05", [["SAFETY", 15]]);
  const at = ["1983-10-01", "1983-12-31"] as const;
  const before = await readNumbers(viewer, "pmt", ...at);
  expect(before).toMatchObject({ individuals_served: 1, c1_crisis_intervention: 1 });
  expect(await removeMinutesDuring(formId, () => readNumbers(viewer, "pmt", ...at))).toEqual(before);
  expect(await readNumbers(viewer, "pmt", ...at)).toEqual({});
});

test("all gaps of a report are from one moment, whatever is saved while they are searched", async () => {
  const { owner, viewer } = world;
  const formId = await addForm(owner, await addClient(owner), "1982-10-05", [["SAFETY", 15]]);
  const at = ["1982-10-01", "1982-12-31"] as const;
  const before = await readGaps(viewer, "pmt", ...at);
  expect(Object.keys(before)).toEqual(["victimization"]);
  expect(await removeMinutesDuring(formId, () => readGaps(viewer, "pmt", ...at))).toEqual(before);
  expect(Object.keys(await readGaps(viewer, "pmt", ...at))).toEqual(["minutes"]);
});

test("the time report adds up all rows of one's own forms, including Not Served ones, with Other Service minutes separate", async () => {
  const { owner, other, viewer } = world;
  const ann = await addClient(owner);
  await addForm(
    owner,
    ann,
    "1984-10-05",
    [
      ["SAFETY", 15],
      ["CRISIS", 30],
    ],
    { otherMinutes: 5 },
  );
  await addForm(owner, ann, "1984-10-05", [["SAFETY", 10]], { status: "Not Served", reasons: ["other"] });
  await addForm(owner, ann, "1984-10-07", [], { otherMinutes: 20 });
  await addForm(other, ann, "1984-10-05", [["SAFETY", 60]]);
  const codes = new Map((await db().serviceCode.findMany()).map(({ code, id }) => [code, id]));
  const time = async (query: string) =>
    (await call(viewer.cookie, "GET", `/api/reports/time?from=1984-10-01&to=1984-10-31${query}`)).body;
  expect(await time(`&userId=${owner.id}`)).toEqual({
    days: [
      {
        on: "1984-10-05",
        codes: [
          { serviceCodeId: codes.get("CRISIS"), code: "CRISIS", minutes: 30 },
          { serviceCodeId: codes.get("SAFETY"), code: "SAFETY", minutes: 25 },
        ],
        minutes: 55,
        otherMinutes: 5,
        contactMinutes: 0,
        activityMinutes: 0,
        sessionMinutes: 0,
        eventMinutes: 0,
      },
      {
        on: "1984-10-07",
        codes: [],
        minutes: 0,
        otherMinutes: 20,
        contactMinutes: 0,
        activityMinutes: 0,
        sessionMinutes: 0,
        eventMinutes: 0,
      },
    ],
    minutes: 55,
    otherMinutes: 25,
    contactMinutes: 0,
    activityMinutes: 0,
    sessionMinutes: 0,
    eventMinutes: 0,
  });
  expect(await time("")).toEqual({
    days: [],
    minutes: 0,
    otherMinutes: 0,
    contactMinutes: 0,
    activityMinutes: 0,
    sessionMinutes: 0,
    eventMinutes: 0,
  });
  // One's own time needs no permission, and anyone else's needs Reports and All Forms.
  const supervisor = await makeUser(["all-forms", "forms"]);
  const statusOf = async (by: Person, userId: number) => {
    const url = `/api/reports/time?from=1984-10-01&to=1984-10-31&userId=${userId}`;
    const { status, body } = await call(by.cookie, "GET", url);
    return [status, body.minutes];
  };
  expect(await statusOf(owner, owner.id)).toEqual([200, 55]);
  expect(await statusOf(supervisor, owner.id)).toEqual([403, undefined]);
  expect(await statusOf(supervisor, supervisor.id)).toEqual([200, 0]);
});
