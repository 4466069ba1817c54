import { describe, expect, test } from "vitest";
import { describeWith } from "@/components/forms/fields";
import { blankClient, blankForm } from "@/components/forms/values";
import { choicesOf } from "@/components/record/choices";
import { differences, leaves, merged } from "@/components/record/differences";
import { services } from "@/lib/forms/sections/services";
import type { ServiceCode } from "@/lib/lookups/types";
import { formListsOf } from "@/tests/form-lists";

// What the form screen offers after a 409, and what it takes over without asking.

const lists = formListsOf({
  canines: [{ id: 1, name: "None" }],
  secondaryVictimizations: [
    { id: 1, name: "Arson" },
    { id: 2, name: "Stalking" },
  ],
});
const codes = new Map([[7, { id: 7, code: "CRISIS" } as ServiceCode]]);

type Form = ReturnType<typeof blankForm>;
const survivor = (form: Form) => form.intakeForm.survivorEntry;

/** A stored form with 75 minutes at CRISIS, after the changes. */
function form(change: (form: Form) => void = () => {}): Form {
  const made = blankForm(lists);
  made.serviceOn = "2026-01-02";
  made.lockVersion = 1;
  made.serviceEntry.rows = { s3: { id: 3, serviceCodeId: 7, magisterial: false, minutes: 75 } };
  change(made);
  return made;
}
const record = { prefix: "form", describe: describeWith(codes), choices: choicesOf(lists) };
const found = (theirs: Form, mine: Form) =>
  differences({ base: form(), theirs, mine }, record).map(({ label, theirs, mine, bothChanged }) => ({
    label,
    theirs: theirs.text,
    mine: mine.text,
    bothChanged,
  }));

describe("the differences between my form and theirs", () => {
  test("are none when only I have changed it, or both the same way", () => {
    const mine = form((f) => {
      f.intakeForm.referralSourceName = "Officer Diaz";
    });
    expect(found(form(), mine)).toEqual([]);
    expect(found(mine, mine)).toEqual([]);
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
    expect(found(theirs, mine)).toEqual([]);
  });

  test("are what they have changed, and say whether I have too", () => {
    const theirs = form((f) => {
      f.intakeForm.referralSourceName = "Theirs";
      f.serviceEntry.otherService = "Theirs";
    });
    const mine = form((f) => {
      f.intakeForm.referralSourceName = "Mine";
    });
    expect(found(theirs, mine)).toEqual([
      { label: "Referral Source Name", theirs: "Theirs", mine: "Mine", bothChanged: true },
      { label: "Services: Other Service", theirs: "Theirs", mine: "", bothChanged: false },
    ]);
  });

  test("leave out what no user enters, which is taken as it is stored", () => {
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
    expect(found(theirs, form())).toEqual([]);
    const after = merged({ base: form(), theirs, mine: form() }, record, [], () => false);
    expect([after.lockVersion, after.serviceEntry.rows.s3]).toEqual([2, stored]);
  });

  test("can be in any field of the screen but the version, a row's code and whether it counts before a magistrate", () => {
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

  test("include minutes that they have taken away", () => {
    const theirs = form((f) => {
      f.serviceEntry.rows = {};
    });
    expect(found(theirs, form())).toEqual([
      { label: "Services: CRISIS: Minutes", theirs: "", mine: "75", bothChanged: false },
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

  test("takes each field as it was chosen, everything else as I typed it, and their version", () => {
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

  test("brings back an entry that they have removed as a new one, without its former id", () => {
    const mine = form((f) => {
      Object.assign(f.intakeForm.legalAdvocacyEntry, { id: 4 });
      f.serviceEntry.rows.s3 = { id: 3, serviceCodeId: 7, minutes: 80 };
    });
    const { intakeForm, serviceEntry } = merged({ base: mine, theirs, mine }, record, [], () => false);
    expect(intakeForm.legalAdvocacyEntry).toMatchObject({ id: undefined });
    expect(serviceEntry.rows.s3).toMatchObject({ id: undefined, serviceCodeId: 7, minutes: 80 });
  });
});
