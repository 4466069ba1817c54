import { describe, expect, test } from "vitest";
import { sessionComparison } from "@/components/groups/session-comparison";
import {
  absentPerson,
  type SessionData,
  type Values,
  valuesOf,
  withNames,
} from "@/components/groups/session-values";
import { ApiError } from "@/lib/core/api/client";

// The values of a session's form: which leaders follow the session's minutes.

const ADA = 1;
const BEN = 2;
const person = { id: 0, firstName: "", lastName: "" };

/** Returns a stored session of 90 minutes with the minutes of Ada and Ben. */
const sessionWith = (ada: number, ben: number, minutes = 90): NonNullable<SessionData["session"]> => ({
  id: 5,
  groupId: 3,
  serviceCodeId: 1,
  formTypeId: 1,
  heldOn: "2026-11-20",
  minutes,
  unnamed: 0,
  leaders: [
    { id: 11, userId: ADA, minutes: ada },
    { id: 12, userId: BEN, minutes: ben },
  ],
  attendances: [],
  userId: ADA,
  user: { ...person, id: ADA },
  lockVersion: 0,
});

const data = (session: SessionData["session"], { userId = ADA, seesAllForms = false } = {}): SessionData => ({
  group: { id: 3, usualMinutes: 60 },
  roster: [],
  leaders: [
    { id: ADA, name: "Ada" },
    { id: BEN, name: "Ben" },
  ],
  userId,
  seesAllForms,
  session,
});
const minutesIn = ({ leaders }: Values) => leaders.map(({ minutes }) => minutes);

describe("the form of a session", () => {
  test.each([
    ["both leaders", [90, 90], [null, null]],
    ["the leader whose minutes were the session's", [90, 45], [null, 45]],
    ["no leader whose minutes differ", [30, 45], [30, 45]],
  ])("lets %s follow the session's minutes", (_, [ada = 0, ben = 0], expected) => {
    expect(minutesIn(valuesOf(data(sessionWith(ada, ben))))).toEqual(expected);
  });

  test.each([
    ["keeps the minutes for someone who cannot send leaders", false, [90, 45]],
    ["lets leaders follow for a holder of All Forms", true, [null, 45]],
  ])("%s", (_, seesAllForms, expected) => {
    expect(minutesIn(valuesOf(data(sessionWith(90, 45), { userId: 7, seesAllForms })))).toEqual(expected);
  });

  test.each([
    ["the reader, if they lead the group", BEN, [false, true]],
    ["the first leader with an active account, for others", 7, [true, false]],
  ])("begins a new session with %s, for its minutes", (_, userId, leads) => {
    const { leaders } = valuesOf(data(null, { userId, seesAllForms: true }));
    expect(leaders.map((leader) => leader.leads)).toEqual(leads);
    expect(leaders.map(({ minutes }) => minutes)).toEqual([null, null]);
  });

  test("names the people who were merged, removed, or hidden since it was opened", () => {
    const people = ["Ann", "Bea", "Cyd"].map((name, id) => ({
      ...absentPerson({ id, name, yearOfBirth: null, createdOn: "2026-01-02" }),
      attends: id > 0,
    }));
    const fields = {
      "groupSession.heldOn": "Date is required",
      "groupSession.attendances.1.clientId": "Client does not exist",
    };
    const error = new ApiError(422, "invalid", Object.values(fields), fields);
    const named = withNames(error, people.slice(1), people);
    const words = expect.stringMatching(/^Cyd was not found/);
    expect(named).toMatchObject({
      status: 422,
      messages: ["Date is required", words],
      fields: { "groupSession.heldOn": "Date is required", "groupSession.people.2.attends": words },
    });
    const other = new ApiError(422, "invalid", ["Date is required"], {
      "groupSession.heldOn": "Date is required",
    });
    expect(withNames(other, people, people)).toBe(other);
  });
});

describe("the comparison of a session whose minutes were changed here and there", () => {
  const base = sessionWith(90, 90);
  const stored = sessionWith(120, 45, 120);

  test("distinguishes people with the same name", () => {
    const ann = { id: 1, name: "Ann", yearOfBirth: 1990, createdOn: "2026-01-02" };
    const screen = { ...data(base), roster: [ann, { ...ann, id: 2, yearOfBirth: null }] };
    const comparison = sessionComparison(screen);
    const versions = comparison.versions({ base, stored, typed: valuesOf(screen) });
    const labels = [1, 2].map((id) => comparison.describe(`groupSession.people.${id}`, versions).label);
    expect(labels).toEqual(["Ann · born 1990", "Ann · since 01/02/2026"]);
  });

  test.each([
    ["here", 60, "Led, 1\u00a0h", "Led, 45\u00a0min", [null, 45]],
    ["there", 120, "Led, 2\u00a0h", "Led, 45\u00a0min", [null, 45]],
    ["there, with a leader from here", 120, "Led, 1\u00a0h", "Led, 1\u00a0h", [60, 60]],
    ["here, with a leader from there", 60, "Led, 2\u00a0h", "Led, 45\u00a0min", [120, 45]],
  ])(
    "gives leaders their chosen minutes if the session has those from %s",
    (_, minutes, ada, ben, expected) => {
      const typed: Values = { ...valuesOf(data(base)), minutes: 60 };
      const comparison = sessionComparison(data(base));
      const { mine, theirs } = comparison.versions({ base, stored, typed });
      expect(mine.leaders).toEqual({ [ADA]: "Led, 1\u00a0h", [BEN]: "Led, 1\u00a0h" });
      expect(theirs.leaders).toEqual({ [ADA]: "Led, 2\u00a0h", [BEN]: "Led, 45\u00a0min" });
      const chosen = { ...mine, minutes, leaders: { [ADA]: ada, [BEN]: ben } };
      expect(minutesIn(comparison.valuesOf(chosen, typed, stored))).toEqual(expected);
    },
  );
});
