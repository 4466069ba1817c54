import { describe, expect, test } from "vitest";
import { describeWith } from "@/components/forms/fields";
import { blankClient, blankForm } from "@/components/forms/values";
import { choicesOf } from "@/components/record/choices";
import { differences, leaves, merged } from "@/components/record/differences";
import { services } from "@/lib/forms/sections/services";
import type { ServiceCode } from "@/lib/lookups/api-schema";
import { formListsOf } from "@/tests/form-lists";

// The differences that the form screen offers after a 409, and those it merges without a question.

const lists = formListsOf({
  canines: [{ id: 1, name: "None" }],
  secondaryVictimizations: [
    { id: 1, name: "Arson" },
    { id: 2, name: "Stalking" },
  ],
});
const codes = new Map([
  [7, { id: 7, code: "CRISIS" } as ServiceCode],
  [8, { id: 8, code: "HOTEL" } as ServiceCode],
]);

type Form = ReturnType<typeof blankForm>;
const survivor = (form: Form) => form.intakeForm.survivorEntry;

/** Returns a stored form with 75 minutes at CRISIS, after the changes. */
function form(change: (form: Form) => void = () => {}): Form {
  const values = blankForm(lists);
  values.serviceOn = "2026-01-02";
  values.lockVersion = 1;
  values.serviceEntry.rows = { s3: { id: 3, serviceCodeId: 7, magisterial: false, minutes: 75 } };
  change(values);
  return values;
}
const record = { prefix: "form", describe: describeWith(codes), choices: choicesOf(lists) };
const differencesBetween = (theirs: Form, mine: Form) =>
  differences({ base: form(), theirs, mine }, record).map(
    ({ section, label, theirs, mine, bothChanged }) => ({
      label: [section, label].filter(Boolean).join(": "),
      theirs: theirs.change,
      mine: mine.change,
      bothChanged,
    }),
  );

describe("the differences between my form and theirs", () => {
  test("are empty if only I changed it, or if both made the same change", () => {
    const mine = form((f) => {
      f.intakeForm.referralSourceName = "Officer Diaz";
    });
    expect(differencesBetween(form(), mine)).toEqual([]);
    expect(differencesBetween(mine, mine)).toEqual([]);
  });

  test("leave out values that differ only in notation", () => {
    const theirs = form((f) => {
      f.intakeForm.referralSourceName = "Officer Diaz";
      survivor(f).secondaryVictimizationIds = [1, 2];
      f.lockVersion = 2;
    });
    const mine = form((f) => {
      f.intakeForm.referralSourceName = "Officer Diaz ";
      survivor(f).secondaryVictimizationIds = [2, 1];
    });
    expect(differencesBetween(theirs, mine)).toEqual([]);
  });

  test("list the other user's changes, and mark those I changed too", () => {
    const theirs = form((f) => {
      f.intakeForm.referralSourceName = "Theirs";
      f.serviceEntry.otherService = "Theirs";
    });
    const mine = form((f) => {
      f.intakeForm.referralSourceName = "Mine";
    });
    expect(differencesBetween(theirs, mine)).toEqual([
      { label: "Referral Source Name", theirs: "Added Theirs", mine: "Added Mine", bothChanged: true },
      {
        label: "Services: Other Service",
        theirs: "Added Theirs",
        mine: "No change (blank)",
        bothChanged: false,
      },
    ]);
  });

  test("leave out values that no user enters, which are taken as stored", () => {
    const stored = {
      id: 3,
      serviceCodeId: 7,
      magisterial: true,
      minutes: 75,
      serviceCode: { code: "CRISIS" },
    };
    const theirs = form((f) => {
      f.lockVersion = 2;
      f.serviceEntry.rows = { s3: stored };
    });
    expect(differencesBetween(theirs, form())).toEqual([]);
    const after = merged({ base: form(), theirs, mine: form() }, record, [], () => false);
    expect([after.lockVersion, after.serviceEntry.rows.s3]).toEqual([2, stored]);
  });

  test("can be in any screen field except the version, a row's code and its magistrate flag", () => {
    const row = services.rowDefaults(7);
    const values = {
      client: blankClient(),
      form: form((f) => {
        f.serviceEntry.rows = { s3: row };
      }),
    };
    const versions = { base: values.form, theirs: values.form, mine: values.form };
    const silent = [...leaves(values, "")].filter(
      ([name]) => !describeWith(codes)(name, versions).facts?.entered,
    );
    expect(silent.map(([name]) => name)).toEqual([
      "form.serviceEntry.rows.s3.serviceCodeId",
      "form.serviceEntry.rows.s3.magisterial",
      "form.lockVersion",
    ]);
  });

  const row = (minutes: number | null, more: object = {}) => ({ id: 3, serviceCodeId: 7, minutes, ...more });
  test.each<[string, object, object, object]>([
    [
      "a row that they removed",
      {},
      { s3: row(75) },
      {
        label: "Services: CRISIS",
        theirs: "Removed CRISIS, 1\u00a0h\u00a015\u00a0min",
        mine: "No change (CRISIS, 1\u00a0h\u00a015\u00a0min)",
        bothChanged: false,
      },
    ],
    [
      "a row that they removed and I changed",
      {},
      { s3: row(80) },
      {
        label: "Services: CRISIS",
        theirs: "Removed CRISIS, 1\u00a0h\u00a015\u00a0min",
        mine: "Changed to CRISIS, 1\u00a0h\u00a020\u00a0min",
        bothChanged: true,
      },
    ],
    [
      "a row that they added, with all of its fields at once",
      {
        s3: row(75),
        s4: {
          id: 4,
          serviceCodeId: 8,
          minutes: 30,
          referrals: "Legal aid",
          hotelShelterEntry: { adults: 2 },
        },
      },
      { s3: row(75) },
      {
        label: "Services: HOTEL",
        theirs: "Added HOTEL, 30\u00a0min; Referral: Legal aid; Hotel Shelter: Adults 2",
        mine: "No entry for HOTEL",
        bothChanged: false,
      },
    ],
    [
      "other minutes of a row",
      { s3: row(90) },
      { s3: row(75) },
      {
        label: "Services: CRISIS",
        theirs: "1\u00a0h\u00a015\u00a0min → 1\u00a0h\u00a030\u00a0min",
        mine: "No change (1\u00a0h\u00a015\u00a0min)",
        bothChanged: false,
      },
    ],
    [
      "minutes that both have changed",
      { s3: row(90) },
      { s3: row(60) },
      {
        label: "Services: CRISIS",
        theirs: "1\u00a0h\u00a015\u00a0min → 1\u00a0h\u00a030\u00a0min",
        mine: "1\u00a0h\u00a015\u00a0min → 1\u00a0h",
        bothChanged: true,
      },
    ],
    [
      "another field of a row",
      { s3: row(75, { referrals: "Court" }) },
      { s3: row(75) },
      {
        label: "Services: CRISIS, Referral",
        theirs: "Added Court",
        mine: "No change (blank)",
        bothChanged: false,
      },
    ],
  ])("include %s", (_, theirRows, myRows, difference) => {
    const withRows = (rows: object) =>
      form((f) => {
        f.serviceEntry.rows = rows as Form["serviceEntry"]["rows"];
      });
    expect(differencesBetween(withRows(theirRows), withRows(myRows))).toEqual([difference]);
  });

  test("show checkboxes and lists in words, under the titles of their sections", () => {
    const theirs = form((f) => {
      survivor(f).brainInjuryEntry.injuredHead = true;
      survivor(f).secondaryVictimizationIds = [1];
    });
    expect(differencesBetween(theirs, form())).toEqual([
      {
        label: "Survivor: Secondary Victimizations",
        bothChanged: false,
        theirs: "Added Arson",
        mine: "No change (blank)",
      },
      {
        label: "Survivor › Brain Injury: Head Injury",
        bothChanged: false,
        theirs: "No → Yes",
        mine: "No change (No)",
      },
    ]);
  });
});

describe("merging my form and theirs", () => {
  const theirs = form((f) => {
    f.lockVersion = 2;
    f.intakeForm.referralSourceName = "Theirs";
    f.serviceEntry.rows = {};
  });
  const mine = form((f) => {
    f.intakeForm.referralSourceName = "Mine";
    f.serviceEntry.otherService = "Mine alone";
  });
  const versions = { base: form(), theirs, mine };
  const offered = differences(versions, record);

  test("takes each field as chosen, everything else as I typed it, and their version", () => {
    const all = merged(versions, record, offered, () => true);
    expect(all.intakeForm.referralSourceName).toBe("Theirs");
    expect(all.serviceEntry.rows.s3?.minutes).toBeNull();
    const none = merged(versions, record, offered, () => false);
    expect(none.intakeForm.referralSourceName).toBe("Mine");
    expect(none.serviceEntry.rows.s3?.minutes).toBe(75);
    for (const { lockVersion, serviceEntry } of [all, none]) {
      expect([lockVersion, serviceEntry.otherService]).toEqual([2, "Mine alone"]);
    }
  });

  test("restores an entry that they deleted as a new one, without its former id", () => {
    const mine = form((f) => {
      Object.assign(f.intakeForm.legalAdvocacyEntry, { id: 4 });
      f.serviceEntry.rows.s3 = { id: 3, serviceCodeId: 7, minutes: 80 };
    });
    const { intakeForm, serviceEntry } = merged({ base: mine, theirs, mine }, record, [], () => false);
    expect(intakeForm.legalAdvocacyEntry).toMatchObject({ id: undefined });
    expect(serviceEntry.rows.s3).toMatchObject({ id: undefined, serviceCodeId: 7, minutes: 80 });
  });
});
