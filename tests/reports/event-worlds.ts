// Small worlds of events and outcome surveys with numbers that were worked out by hand, before the code that counts.
//
// Days: `Y` and `Z` are two years in a row that belong to one world only; its fiscal year is Y-10-01 to Z-09-30. `T-60` is 60
// days before today. A number with a sum shows how it comes about: "25 + 31 = 56". Lines that are not listed are 0. The items of
// a world happen in order. Staff is the one who records, unless it is named.

type By = "owner" | "other";
export type Audience = "general" | "youth" | "professionals";
export type Kind = "shelter" | "advocacy" | "counseling" | "support_group";
/** The measures of the seeded questions, and a question without one. */
export type Asked = "safety" | "resources" | "food";
/** The numbers of yes and no answers. */
export type Said = readonly [number, number];

export type Event = {
  event: string;
  on: string;
  audience: Audience;
  attended: number;
  materials?: number;
  explains?: true;
  /** The first event of the series, which may be this one. */
  series?: string;
  seriesPeople?: number;
  by?: By;
  staff?: readonly By[];
};
export type Tally = { tally: string; on: string; of: Kind; cards: number; by?: By } & Partial<
  Record<Asked, Said>
>;

export type Item =
  | Event
  | Tally
  /** Saves other values over an event or a tally. */
  | { change: string; to: Partial<Omit<Event, "event"> & Omit<Tally, "tally">> }
  /** The same is refused, because the days are closed. */
  | { refused: string; to: Partial<Omit<Event, "event"> & Omit<Tally, "tally">> }
  | { remove: string }
  /** Retires the question with this measure, and adds another one. */
  | { retire: Exclude<Asked, "food"> }
  /** Closes the days through this one; null opens all. */
  | { close: string | null }
  /** Submits the FVPSA report of a period. */
  | { submit: Days }
  | Period;

type Days = { from: string; to: string };
type Numbers = Readonly<Record<string, number | string>>;

/** The numbers that the reports have at this point. */
export type Period = Days & {
  by?: By;
  /** The form type by name. */
  formType?: string;
  /** An advocate without All Forms reads their own numbers. */
  reader?: "owner";
  /** The lines of Community education and Outcome surveys. */
  fvpsa?: Numbers;
  /** The lines of Public presentations. */
  pccd?: Numbers;
  /** The names of the records behind lines, sorted; one report has each line. */
  behind?: Readonly<Record<string, readonly string[]>>;
  /** The events of the gap of open series. */
  openSeries?: readonly string[];
  /** The marks in the copy for sharing on lines of `fvpsa`; the others are exact. */
  copy?: Readonly<Record<string, "<5">>;
  /** The submitted and the current number of lines that changed since. */
  since?: Readonly<Record<string, readonly [number, number]>>;
};

export type World = { name: string; items: readonly Item[] };

const Q1 = { from: "Y-10-01", to: "Y-12-31" };
const Q2 = { from: "Z-01-01", to: "Z-03-31" };
const YEAR = { from: "Y-10-01", to: "Z-09-30" };

const session = (event: string, on: string, attended: number, more: Partial<Event> = {}): Event => ({
  event,
  on,
  audience: "youth",
  attended,
  series: "E1",
  ...more,
});

export const WORLDS: readonly World[] = [
  {
    // Six sessions with 16 to 20 people each reached 40 different people. Only the sixth session says so, in January. The
    // first one handed out 20 booklets.
    name: "a series of six sessions with 40 people, whose last session is in the next quarter",
    items: [
      session("E1", "Y-11-05", 18, { materials: 20 }),
      session("E2", "Y-11-12", 20),
      session("E3", "Y-11-19", 17),
      session("E4", "Y-12-03", 19),
      session("E5", "Y-12-10", 16),
      session("E6", "Z-01-07", 18, { seriesPeople: 40 }),
      {
        ...Q1,
        fvpsa: { education_youth_presentations: "1 + 1 + 1 + 1 + 1 = 5", education_materials: 20 },
        behind: {
          education_youth_presentations: ["E1", "E2", "E3", "E4", "E5"],
          education_youth_people: [],
          education_materials: ["E1"],
        },
        openSeries: [],
      },
      {
        ...Q2,
        fvpsa: { education_youth_presentations: 1, education_youth_people: 40 },
        behind: { education_youth_presentations: ["E6"], education_youth_people: ["E6"] },
      },
      {
        ...YEAR,
        fvpsa: {
          education_youth_presentations: "5 + 1 = 6",
          education_youth_people: 40,
          education_materials: 20,
        },
      },
    ],
  },
  {
    name: "two series of one title at two schools",
    items: [
      session("A1", "Y-10-05", 22, { series: "A1" }),
      session("B1", "Y-10-06", 28, { series: "B1" }),
      session("A2", "Y-10-12", 24, { series: "A1", seriesPeople: 25 }),
      session("B2", "Y-10-13", 30, { series: "B1", seriesPeople: 31 }),
      {
        ...Q1,
        fvpsa: { education_youth_presentations: "2 + 2 = 4", education_youth_people: "25 + 31 = 56" },
        behind: { education_youth_people: ["A2", "B2"] },
        openSeries: [],
      },
    ],
  },
  {
    // The box says that an event explained victimization and referred to service. The first event only explained it.
    name: "an event that explained victimization without a referral",
    items: [
      { event: "E1", on: "Y-10-20", audience: "general", attended: 30 },
      { event: "E2", on: "Y-11-20", audience: "general", attended: 20, explains: true },
      {
        ...Q1,
        fvpsa: { education_presentations: "1 + 1 = 2", education_people: "30 + 20 = 50" },
        pccd: { presentations: 1, presentations_people: 20 },
        behind: { presentations: ["E2"], presentations_people: ["E2"], education_people: ["E1", "E2"] },
      },
    ],
  },
  {
    name: "youth, general, and professional audiences on one day",
    items: [
      { event: "E1", on: "Y-10-20", audience: "youth", attended: 60, explains: true },
      { event: "E2", on: "Y-10-20", audience: "general", attended: 45, materials: 50 },
      { event: "E3", on: "Y-10-20", audience: "professionals", attended: 12, materials: 12, explains: true },
      {
        ...Q1,
        fvpsa: {
          education_presentations: 1,
          education_people: 45,
          education_youth_presentations: 1,
          education_youth_people: 60,
          education_trainings: 1,
          education_professionals: 12,
          education_materials: "50 + 12 = 62",
        },
        pccd: { presentations: "1 + 1 = 2", presentations_people: "60 + 12 = 72" },
      },
      { ...Q1, formType: "Service", fvpsa: {}, pccd: {} },
    ],
  },
  {
    name: "a tally that is corrected after the submission",
    items: [
      { tally: "T1", on: "Y-12-15", of: "advocacy", cards: 12, safety: [9, 2], resources: [8, 3] },
      {
        ...Q1,
        fvpsa: {
          outcome_advocacy_completed: 12,
          outcome_advocacy_safety_yes: 9,
          outcome_advocacy_resources_yes: 8,
        },
      },
      { submit: Q1 },
      { change: "T1", to: { cards: 21, safety: [17, 3] } },
      {
        ...Q1,
        fvpsa: {
          outcome_advocacy_completed: 21,
          outcome_advocacy_safety_yes: 17,
          outcome_advocacy_resources_yes: 8,
        },
        since: { outcome_advocacy_completed: [12, 21], outcome_advocacy_safety_yes: [9, 17] },
      },
    ],
  },
  {
    // Of 30 cards, 4 have no answer on safety, and 5 none on resources. The yes answers count as they are.
    name: "more completed cards than answers",
    items: [
      { tally: "T1", on: "Y-10-09", of: "counseling", cards: 30, safety: [20, 6], resources: [15, 10] },
      {
        ...Q1,
        fvpsa: {
          outcome_counseling_completed: 30,
          outcome_counseling_safety_yes: 20,
          outcome_counseling_resources_yes: 15,
        },
        behind: { outcome_counseling_completed: ["T1"], outcome_counseling_safety_yes: ["T1"] },
      },
    ],
  },
  {
    name: "a question that is retired in the middle of a quarter",
    items: [
      { tally: "T1", on: "Y-10-30", of: "shelter", cards: 10, safety: [7, 2], resources: [6, 4] },
      { retire: "safety" },
      { tally: "T2", on: "Y-11-30", of: "shelter", cards: 14, safety: [11, 3], resources: [0, 14] },
      {
        ...Q1,
        fvpsa: {
          outcome_shelter_completed: "10 + 14 = 24",
          outcome_shelter_safety_yes: "7 + 11 = 18",
          outcome_shelter_resources_yes: "6 + 0 = 6",
        },
        behind: { outcome_shelter_safety_yes: ["T1", "T2"], outcome_shelter_resources_yes: ["T1"] },
      },
    ],
  },
  {
    name: "a closed period",
    items: [
      { event: "E1", on: "Y-12-20", audience: "general", attended: 33 },
      { event: "E2", on: "Z-01-10", audience: "general", attended: 40 },
      { tally: "T1", on: "Y-12-21", of: "support_group", cards: 8, safety: [8, 0] },
      { close: "Y-12-31" },
      { refused: "E1", to: { attended: 34 } },
      { refused: "E2", to: { on: "Y-12-30" } },
      { refused: "T1", to: { cards: 9 } },
      { change: "E2", to: { attended: 41 } },
      {
        ...Q1,
        fvpsa: {
          education_presentations: 1,
          education_people: 33,
          outcome_support_group_completed: 8,
          outcome_support_group_safety_yes: 8,
        },
      },
      { ...Q2, fvpsa: { education_presentations: 1, education_people: 41 } },
      { close: null },
    ],
  },
  {
    // The owner recorded E1 and T1, is staff of E1 and E2, and is not of E3.
    name: "a reader without All Forms",
    items: [
      { event: "E1", on: "Y-10-20", audience: "general", attended: 10, explains: true },
      {
        event: "E2",
        on: "Y-10-21",
        audience: "general",
        attended: 15,
        by: "other",
        staff: ["owner", "other"],
      },
      { event: "E3", on: "Y-10-22", audience: "general", attended: 50, by: "other", explains: true },
      { tally: "T1", on: "Y-10-23", of: "advocacy", cards: 3, safety: [2, 1] },
      { tally: "T2", on: "Y-10-23", of: "advocacy", cards: 40, safety: [30, 5], by: "other" },
      {
        ...Q1,
        reader: "owner",
        by: "owner",
        fvpsa: {
          education_presentations: "1 + 1 = 2",
          education_people: "10 + 15 = 25",
          outcome_advocacy_completed: 3,
          outcome_advocacy_safety_yes: 2,
        },
        pccd: { presentations: 1, presentations_people: 10 },
        behind: { education_presentations: ["E1", "E2"], outcome_advocacy_completed: ["T1"] },
      },
      {
        ...Q1,
        fvpsa: {
          education_presentations: "1 + 1 + 1 = 3",
          education_people: "10 + 15 + 50 = 75",
          outcome_advocacy_completed: "3 + 40 = 43",
          outcome_advocacy_safety_yes: "2 + 30 = 32",
        },
        pccd: { presentations: "1 + 1 = 2", presentations_people: "10 + 50 = 60" },
      },
    ],
  },
  {
    name: "materials of an event that no one attended",
    items: [
      { event: "E1", on: "Y-10-20", audience: "general", attended: 0, materials: 250 },
      {
        ...Q1,
        fvpsa: { education_presentations: 1, education_materials: 250 },
        behind: {
          education_presentations: ["E1"],
          education_people: [],
          education_materials: ["E1"],
        },
      },
    ],
  },
  {
    name: "a training of police officers that explains victimization",
    items: [
      { event: "E1", on: "Y-10-20", audience: "professionals", attended: 18, explains: true },
      {
        ...Q1,
        fvpsa: { education_trainings: 1, education_professionals: 18 },
        pccd: { presentations: 1, presentations_people: 18 },
      },
    ],
  },
  {
    // Each event is on the line of its own audience. The people of the series are on the line of the one that has them.
    name: "a series whose last session has another audience",
    items: [
      session("E1", "Y-10-20", 9, { explains: true }),
      session("E2", "Y-10-27", 11, { audience: "general", seriesPeople: 12 }),
      {
        ...Q1,
        fvpsa: { education_youth_presentations: 1, education_presentations: 1, education_people: 12 },
        pccd: { presentations: 1 },
        behind: { presentations: ["E1"], presentations_people: [], education_people: ["E2"] },
      },
    ],
  },
  {
    // The second of three sessions has the number of people, so it counts them on its own day.
    name: "a series whose people are on a session in the middle",
    items: [
      session("E1", "Y-12-10", 20),
      session("E2", "Y-12-17", 21, { seriesPeople: 22 }),
      session("E3", "Z-01-07", 19),
      { ...Q1, fvpsa: { education_youth_presentations: 2, education_youth_people: 22 } },
      { ...Q2, fvpsa: { education_youth_presentations: 1 } },
    ],
  },
  {
    name: "a series that no one ended",
    items: [
      session("E1", "Y-12-10", 20),
      session("E2", "Z-01-17", 21, { by: "other" }),
      {
        ...Q1,
        fvpsa: { education_youth_presentations: 1 },
        openSeries: ["E1"],
        behind: { education_youth_people: [] },
      },
      { ...Q2, fvpsa: { education_youth_presentations: 1 }, openSeries: ["E2"] },
      { ...YEAR, fvpsa: { education_youth_presentations: 2 }, openSeries: ["E1", "E2"] },
      { ...YEAR, by: "other", fvpsa: { education_youth_presentations: 1 }, openSeries: ["E2"] },
    ],
  },
  {
    name: "a series of one event",
    items: [
      { event: "E1", on: "Y-10-20", audience: "general", attended: 11, series: "E1", seriesPeople: 15 },
      { ...Q1, fvpsa: { education_presentations: 1, education_people: 15 }, openSeries: [] },
      { change: "E1", to: { series: undefined, seriesPeople: undefined } },
      { ...Q1, fvpsa: { education_presentations: 1, education_people: 11 }, openSeries: [] },
    ],
  },
  {
    name: "events and tallies at the edges of a quarter",
    items: [
      { event: "E1", on: "Y-09-30", audience: "general", attended: 100 },
      { event: "E2", on: "Y-10-01", audience: "general", attended: 20 },
      { event: "E3", on: "Y-12-31", audience: "general", attended: 3 },
      { event: "E4", on: "Z-01-01", audience: "general", attended: 400 },
      { tally: "T1", on: "Y-09-30", of: "shelter", cards: 50 },
      { tally: "T2", on: "Y-12-31", of: "shelter", cards: 6 },
      { tally: "T3", on: "Z-01-01", of: "shelter", cards: 70 },
      {
        ...Q1,
        fvpsa: {
          education_presentations: 2,
          education_people: "20 + 3 = 23",
          outcome_shelter_completed: 6,
        },
        behind: { education_people: ["E2", "E3"], outcome_shelter_completed: ["T2"] },
      },
      {
        ...YEAR,
        fvpsa: {
          education_presentations: 3,
          education_people: "20 + 3 + 400 = 423",
          outcome_shelter_completed: "6 + 70 = 76",
        },
      },
    ],
  },
  {
    // The filter is about staff, not about the user who recorded the event.
    name: "staff who did not record the event",
    items: [
      { event: "E1", on: "Y-10-20", audience: "youth", attended: 25, staff: ["other"] },
      { event: "E2", on: "Y-10-21", audience: "youth", attended: 35, staff: ["owner", "other"] },
      { ...Q1, by: "owner", fvpsa: { education_youth_presentations: 1, education_youth_people: 35 } },
      {
        ...Q1,
        by: "other",
        fvpsa: { education_youth_presentations: 2, education_youth_people: "25 + 35 = 60" },
        behind: { education_youth_people: ["E1", "E2"] },
      },
    ],
  },
  {
    name: "several tallies of one kind and day",
    items: [
      { tally: "T1", on: "Y-10-20", of: "support_group", cards: 7, safety: [5, 2], resources: [7, 0] },
      { tally: "T2", on: "Y-10-20", of: "support_group", cards: 9, safety: [9, 0], resources: [4, 1] },
      { tally: "T3", on: "Y-10-20", of: "counseling", cards: 5 },
      {
        ...Q1,
        fvpsa: {
          outcome_support_group_completed: "7 + 9 = 16",
          outcome_support_group_safety_yes: "5 + 9 = 14",
          outcome_support_group_resources_yes: "7 + 4 = 11",
          outcome_counseling_completed: 5,
        },
      },
      { remove: "T2" },
      {
        ...Q1,
        fvpsa: {
          outcome_support_group_completed: 7,
          outcome_support_group_safety_yes: 5,
          outcome_support_group_resources_yes: 7,
          outcome_counseling_completed: 5,
        },
      },
    ],
  },
  {
    name: "a question without a measure",
    items: [
      { tally: "T1", on: "Y-10-20", of: "shelter", cards: 20, food: [19, 1], safety: [10, 10] },
      { ...Q1, fvpsa: { outcome_shelter_completed: 20, outcome_shelter_safety_yes: 10 } },
    ],
  },
  {
    // Shelter has 4 cards, so none of its lines shows a number, not even the 0. Advocacy has 9 cards, and shows its 2.
    name: "a copy for sharing with few cards",
    items: [
      { tally: "T1", on: "Y-10-20", of: "shelter", cards: 4, safety: [3, 1] },
      { tally: "T2", on: "Y-10-20", of: "advocacy", cards: 9, safety: [2, 7], resources: [9, 0] },
      { event: "E1", on: "Y-10-20", audience: "general", attended: 3, materials: 30 },
      {
        ...YEAR,
        fvpsa: {
          education_presentations: 1,
          education_people: 3,
          education_materials: 30,
          outcome_shelter_completed: 4,
          outcome_shelter_safety_yes: 3,
          outcome_advocacy_completed: 9,
          outcome_advocacy_safety_yes: 2,
          outcome_advocacy_resources_yes: 9,
        },
        copy: {
          outcome_shelter_completed: "<5",
          outcome_shelter_safety_yes: "<5",
          outcome_shelter_resources_yes: "<5",
          education_presentations: "<5",
          education_people: "<5",
        },
      },
    ],
  },
  {
    // 60 days after its latest session, a series without the number of its people is a gap. The second one has a day left.
    name: "two series of the last weeks",
    items: [
      session("A1", "T-75", 20, { series: "A1" }),
      session("A2", "T-60", 20, { series: "A1" }),
      session("B1", "T-70", 20, { series: "B1" }),
      session("B2", "T-59", 20, { series: "B1" }),
      { from: "T-75", to: "T-0", fvpsa: { education_youth_presentations: 4 }, openSeries: ["A1", "A2"] },
      { change: "A1", to: { seriesPeople: 23 } },
      {
        from: "T-75",
        to: "T-0",
        fvpsa: { education_youth_presentations: 4, education_youth_people: 23 },
        openSeries: [],
      },
    ],
  },
];
