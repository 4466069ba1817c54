// Small worlds of the FVPSA report with numbers that were worked out by hand, before the code that counts.
//
// Days: `X`, `Y`, and `Z` are three years in a row that belong to one world only. The fiscal year of a world is
// Y-10-01 to Z-09-30. A number with a sum shows how it comes about: "5*3 + 2 = 17". Lines that are not listed are 0.
// Everyone is a white woman who turns 35 in Y, unless the world says otherwise. Shelters: `house` and `motel` count in
// the report, `flats` is Transitional and does not.

type Person = {
  /** The year of birth as years before Y, and the day: [18, "12-15"]. */
  born?: readonly [number, string];
  gender?: string;
  ethnicity?: string;
  /** False: nothing is known about the person. */
  known?: boolean;
};
type By = "owner" | "other";
export type WorldRecord =
  /** A form with 10 minutes for each code. */
  | {
      form: string;
      of: string;
      on: string;
      codes: readonly string[];
      type?: "Phone";
      status?: "Not Served" | "Partially Served";
      by?: By;
    }
  /** A Survivor form with its entry. */
  | { survivor: string; of: string; on: string; victimizations?: readonly string[]; relationship?: string }
  | {
      stay: string;
      of: string;
      in: "house" | "motel" | "flats";
      from: string;
      to: string | null;
      adults?: number;
      children?: number;
      by?: By;
      /** The API refuses the stay: it overlaps another one, as after a merge, or is dated ahead, as from an import. */
      stored?: true;
    }
  | {
      contact: string;
      kind: string;
      on: string;
      number?: number;
      /** The form that it is linked to. */
      form?: string;
      /** A request for shelter that was turned away for this reason, or accepted if blank. */
      turnedAway?: "capacity" | "not_appropriate" | "";
      adults?: number;
      children?: number;
      by?: By;
    };

/** A row of the setup in place of the seeded one, for the source with this name. */
type Mapping = { kind: "shelter" | "contact_kind" | "form_type"; of: string; line: string; from: string };

export type Period = {
  from: string;
  to: string;
  /** The filter: the advocate, or the form type by name. */
  by?: By;
  formType?: string;
  lines: Readonly<Record<string, number | string>>;
  /** The names of the records and people behind lines, sorted; only of the records on lines of stays and contacts. */
  behind?: Readonly<Record<string, readonly string[]>>;
  /** The people and records of all gaps except race, sex, and age, which `demographicGaps` names. */
  gaps?: Readonly<Record<string, readonly string[]>>;
};

export type World = {
  name: string;
  people?: Readonly<Record<string, Person>>;
  mappings?: readonly Mapping[];
  records: readonly WorldRecord[];
  periods: readonly Period[];
};

const Q0 = { from: "Y-07-01", to: "Y-09-30" };
const Q1 = { from: "Y-10-01", to: "Y-12-31" };
const Q2 = { from: "Z-01-01", to: "Z-03-31" };
const Q3 = { from: "Z-04-01", to: "Z-06-30" };
const YEAR = { from: "Y-10-01", to: "Z-09-30" };

/** The lines of new white women from 25 to 59. */
const women = (number: number | string) => ({
  people_new: number,
  race_white_non_latino: number,
  sex_female: number,
  age_25_59: number,
});
/** The lines of one person with one service row that is individual advocacy. */
const advocacy = (age: "adults" | "children", times: number | string = 1) => ({
  [`advocacy_${age}_individuals`]: 1,
  [`advocacy_${age}_times`]: times,
});
const PARTNER = { relationship: "Intimate partner" };

export const WORLDS: readonly World[] = [
  {
    // In October–December her only entry is a crime by a stranger, so she is out of scope. In February her partner is
    // named. Before February she was active but out of scope, so she becomes new on Feb 10, at 18. Over the whole year
    // she is in scope, and new on Nov 3, when she was 17.
    name: "a survivor who tells late",
    people: { ann: { born: [18, "12-15"] } },
    records: [
      { form: "F1", of: "ann", on: "Y-11-03", codes: ["COUNSEL-IND"] },
      { survivor: "S1", of: "ann", on: "Y-11-03", victimizations: ["Adult sexual assault"] },
      { form: "F2", of: "ann", on: "Z-02-10", codes: ["COUNSEL-IND"] },
      { survivor: "S2", of: "ann", on: "Z-02-10", ...PARTNER },
    ],
    periods: [
      { ...Q1, lines: { people_other_crimes: 1 }, behind: { people_other_crimes: ["F1", "ann"] }, gaps: {} },
      {
        ...Q2,
        lines: {
          people_new: 1,
          race_white_non_latino: 1,
          sex_female: 1,
          age_18_24: 1,
          nonshelter_adults: 1,
          ...advocacy("adults"),
        },
        behind: { people_new: ["F2", "ann"] },
      },
      {
        ...YEAR,
        lines: {
          people_new: 1,
          race_white_non_latino: 1,
          sex_female: 1,
          age_13_17: 1,
          nonshelter_children: 1,
          ...advocacy("children", "1 + 1 = 2"),
        },
      },
    ],
  },
  {
    // The hotel covers the nights Sep 10 to Sep 30, the shelter Oct 1 to Oct 10. The night of Oct 1 follows a night, so
    // no stay begins. The children count on Sep 10 for the old year, and on Oct 1 for the new one.
    name: "a hotel and then the shelter with the same children, over the start of a year",
    records: [
      { stay: "HOTEL", of: "ann", in: "motel", from: "Y-09-10", to: "Y-10-01", children: 2 },
      { stay: "HOUSE", of: "ann", in: "house", from: "Y-10-01", to: "Y-10-11", children: 2 },
    ],
    periods: [
      {
        ...Q0,
        lines: {
          ...women(1),
          shelter_adults: 1,
          shelter_people: 1,
          stays_begun: 1,
          along_children: 2,
          shelter_nights: "21*3 = 63",
        },
        behind: { along_children: ["HOTEL"], stays_begun: ["HOTEL"], people_new: ["HOTEL", "ann"] },
      },
      {
        ...Q1,
        lines: {
          ...women(1),
          shelter_adults: 1,
          shelter_people: 1,
          along_children: 2,
          shelter_nights: "10*3 = 30",
        },
        behind: { along_children: ["HOUSE"], shelter_nights: ["HOUSE"], shelter_people: ["HOUSE", "ann"] },
      },
      {
        from: "Y-07-01",
        to: "Y-12-31",
        lines: {
          ...women(1),
          shelter_adults: 1,
          shelter_people: 1,
          stays_begun: 1,
          along_children: "2 + 2 = 4",
          shelter_nights: "21*3 + 10*3 = 93",
        },
        behind: { along_children: ["HOTEL", "HOUSE"], stays_begun: ["HOTEL"] },
      },
    ],
  },
  {
    // Nights Oct 1–4 house, Oct 5–7 motel, Oct 8–9 house again: all in a row, one stay begins. Oct 20–21 is a second.
    // The adult of the first stay counts once for the year.
    name: "a move, a return on the day of leaving, and a second stay",
    records: [
      { stay: "A", of: "ann", in: "house", from: "Y-10-01", to: "Y-10-05", adults: 1 },
      { stay: "B", of: "ann", in: "motel", from: "Y-10-05", to: "Y-10-08", adults: 1 },
      { stay: "C", of: "ann", in: "house", from: "Y-10-08", to: "Y-10-10" },
      { stay: "D", of: "ann", in: "house", from: "Y-10-20", to: "Y-10-22" },
    ],
    periods: [
      {
        ...Q1,
        lines: {
          ...women(1),
          shelter_adults: 1,
          shelter_people: 1,
          along_adults: 1,
          stays_begun: "1 + 1 = 2",
          shelter_nights: "4*2 + 3*2 + 2 + 2 = 18",
        },
        behind: {
          along_adults: ["A"],
          stays_begun: ["A", "D"],
          shelter_nights: ["A", "B", "C", "D"],
          shelter_people: ["A", "B", "C", "D", "ann"],
        },
      },
      {
        from: "Y-10-06",
        to: "Y-10-07",
        lines: { shelter_people: 1, shelter_nights: "2*2 = 4" },
      },
    ],
  },
  {
    // Oct 4 and 5 belong to the stay that began later. The child came with that stay, whose first night is Oct 4.
    name: "two stays at one time",
    records: [
      { stay: "LONG", of: "ann", in: "house", from: "Y-10-01", to: "Y-10-11" },
      {
        stay: "SHORT",
        of: "ann",
        in: "motel",
        from: "Y-10-04",
        to: "Y-10-06",
        children: 1,
        stored: true,
      },
    ],
    periods: [
      {
        ...Q1,
        lines: {
          ...women(1),
          shelter_adults: 1,
          shelter_people: 1,
          stays_begun: 1,
          along_children: 1,
          shelter_nights: "8*1 + 2*2 = 12",
        },
        behind: { stays_begun: ["LONG"], along_children: ["SHORT"] },
      },
      // Nothing begins on Oct 4, a night of the second stay.
      { from: "Y-10-04", to: "Y-10-04", lines: { shelter_people: 1, shelter_nights: 2, along_children: 1 } },
    ],
  },
  {
    // Ann leaves on the day she came: one night. Bea moves on the day she came: both stays cover Oct 5, which belongs to
    // the one recorded later.
    name: "stays that end on the day they began",
    records: [
      { stay: "A", of: "ann", in: "house", from: "Y-10-05", to: "Y-10-05" },
      { stay: "B1", of: "bea", in: "house", from: "Y-10-05", to: "Y-10-05", adults: 1 },
      { stay: "B2", of: "bea", in: "motel", from: "Y-10-05", to: "Y-10-06", adults: 1 },
    ],
    periods: [
      {
        ...Q1,
        lines: {
          ...women(2),
          shelter_adults: 2,
          shelter_people: 2,
          stays_begun: 2,
          along_adults: 1,
          shelter_nights: "1*1 + 1*2 = 3",
        },
        behind: { shelter_nights: ["A", "B2"], stays_begun: ["A", "B2"], along_adults: ["B2"] },
      },
    ],
  },
  {
    // Transitional housing is not looked at: Ann is active by her form only until she moves into the house on Nov 10,
    // where a stay begins. Bea was only in the flats: she is not in the report. The shelter service of Oct 5 has a night
    // in a shelter of some kind, the one of Dec 20 has none.
    name: "transitional housing",
    records: [
      { stay: "FLAT", of: "ann", in: "flats", from: "Y-10-05", to: "Y-11-10", adults: 1 },
      { stay: "HOUSE", of: "ann", in: "house", from: "Y-11-10", to: "Y-11-12", adults: 1 },
      { stay: "BEA", of: "bea", in: "flats", from: "Y-10-05", to: "Y-11-10" },
      { form: "F1", of: "ann", on: "Y-10-05", codes: ["SHELTER"] },
      // The day after the last night.
      { form: "F2", of: "ann", on: "Y-11-12", codes: ["HOTEL"] },
      { form: "F3", of: "ann", on: "Y-12-20", codes: ["HOTEL"] },
    ],
    periods: [
      {
        from: "Y-10-01",
        to: "Y-10-31",
        lines: { ...women(1), nonshelter_adults: 1 },
        gaps: { victimization: ["F1", "ann"] },
      },
      {
        ...Q1,
        lines: {
          ...women(1),
          shelter_adults: 1,
          shelter_people: 1,
          stays_begun: 1,
          along_adults: 1,
          shelter_nights: "2*2 = 4",
        },
        // A night puts her in scope, so there is no gap of victimization.
        gaps: { shelterStay: ["F3", "ann"] },
      },
      {
        from: "Y-11-01",
        to: "Y-11-30",
        lines: {
          shelter_people: 1,
          stays_begun: 1,
          along_adults: 1,
          shelter_nights: "2*2 = 4",
          moved_into_shelter: 1,
        },
        behind: { moved_into_shelter: ["F2", "HOUSE", "ann"] },
      },
    ],
  },
  {
    // A burglary by a stranger: out of scope until the night in January. Before that she was active but out of scope, so
    // she is new on Jan 10. In the year she is in scope by that night, and new on Oct 5.
    name: "a victim of another crime who comes into shelter",
    records: [
      { survivor: "S1", of: "ann", on: "Y-10-05", victimizations: ["Burglary"] },
      { form: "F1", of: "ann", on: "Y-10-05", codes: ["SAFETY"] },
      { stay: "A", of: "ann", in: "house", from: "Z-01-10", to: "Z-01-12" },
      { form: "F2", of: "ann", on: "Z-04-05", codes: ["SAFETY"] },
    ],
    periods: [
      { ...Q1, lines: { people_other_crimes: 1 } },
      {
        ...Q2,
        lines: { ...women(1), shelter_adults: 1, shelter_people: 1, stays_begun: 1, shelter_nights: 2 },
      },
      // Without a night she is out of scope again.
      { ...Q3, lines: { people_other_crimes: 1 } },
      {
        ...YEAR,
        lines: {
          ...women(1),
          shelter_adults: 1,
          shelter_people: 1,
          stays_begun: 1,
          shelter_nights: 2,
          ...advocacy("adults", "1 + 1 = 2"),
        },
      },
    ],
  },
  {
    // Without any entry she is in scope, and a gap. The robbery in January puts her out of scope, also over the year.
    name: "a victim whose crime is recorded late",
    records: [
      { form: "F1", of: "ann", on: "Y-10-05", codes: ["SAFETY"] },
      { survivor: "S1", of: "ann", on: "Z-01-20", victimizations: ["Robbery"] },
      { form: "F2", of: "ann", on: "Z-01-20", codes: ["SAFETY"] },
    ],
    periods: [
      {
        ...Q1,
        lines: { ...women(1), nonshelter_adults: 1, ...advocacy("adults") },
        gaps: { victimization: ["F1", "ann"] },
      },
      { ...Q2, lines: { people_other_crimes: 1 }, gaps: {} },
      { ...YEAR, lines: { people_other_crimes: 1 }, behind: { people_other_crimes: ["F1", "F2", "ann"] } },
    ],
  },
  {
    // The latest entry before the period counts if the period has none: the partner in October, the stranger in January.
    name: "entries of earlier days",
    records: [
      { survivor: "S1", of: "ann", on: "Y-10-02", ...PARTNER },
      { survivor: "S2", of: "ann", on: "Z-01-02", victimizations: ["Stalking"] },
      { form: "F1", of: "ann", on: "Y-12-05", codes: ["CRISIS"] },
      { form: "F2", of: "ann", on: "Z-04-05", codes: ["CRISIS"] },
      { survivor: "S3", of: "bea", on: "Y-10-02", victimizations: ["Teen dating violence"] },
      { form: "F3", of: "bea", on: "Z-04-05", codes: ["CRISIS"] },
    ],
    periods: [
      { from: "Y-12-01", to: "Y-12-31", lines: { ...women(1), nonshelter_adults: 1, ...advocacy("adults") } },
      // Ann by the stalking of January; Bea by the teen dating violence of October.
      {
        ...Q3,
        lines: { people_other_crimes: 1, ...women(1), nonshelter_adults: 1, ...advocacy("adults") },
        behind: { people_other_crimes: ["F2", "ann"], people_new: ["F3", "bea"] },
        gaps: {},
      },
      {
        ...YEAR,
        lines: {
          ...women(2),
          nonshelter_adults: 2,
          advocacy_adults_individuals: 2,
          advocacy_adults_times: "2 + 1 = 3",
        },
      },
    ],
  },
  {
    // New in October, first night in January: she moved into shelter. In April that is no longer the first time.
    name: "a client of this year who comes into shelter",
    records: [
      { survivor: "S1", of: "ann", on: "Y-10-05", ...PARTNER },
      { form: "F1", of: "ann", on: "Y-10-05", codes: ["PFA-PREP"] },
      { stay: "A", of: "ann", in: "house", from: "Z-01-10", to: "Z-01-12" },
      { stay: "B", of: "ann", in: "house", from: "Z-04-01", to: "Z-04-02" },
    ],
    periods: [
      { ...Q1, lines: { ...women(1), nonshelter_adults: 1, ...advocacy("adults") } },
      {
        ...Q2,
        lines: { moved_into_shelter: 1, shelter_people: 1, stays_begun: 1, shelter_nights: 2 },
        behind: { moved_into_shelter: ["A", "ann"], shelter_people: ["A", "ann"] },
      },
      { ...Q3, lines: { shelter_people: 1, stays_begun: 1, shelter_nights: 1 } },
      {
        ...YEAR,
        lines: {
          ...women(1),
          shelter_adults: 1,
          shelter_people: 1,
          stays_begun: 2,
          shelter_nights: "2 + 1 = 3",
          ...advocacy("adults"),
        },
      },
    ],
  },
  {
    // Calls count by their number. CALLED is linked to the phone form P1, which therefore does not count again; the walk-in
    // that is linked to P2 is no hotline contact, so P2 counts. P3 is Not Served and counts. The service form does not.
    // A crime by a stranger changes nothing.
    name: "hotline contacts and phone forms",
    records: [
      { survivor: "S1", of: "ann", on: "Y-10-01", victimizations: ["Arson"] },
      { contact: "TALLY", kind: "Hotline call", on: "Y-10-01", number: 30 },
      { contact: "CHAT", kind: "Text or chat", on: "Y-12-31", by: "other" },
      { contact: "WALK-IN", kind: "Walk-in", on: "Y-11-05", number: 7 },
      { contact: "BEFORE", kind: "Hotline call", on: "Y-09-30" },
      { form: "P1", of: "ann", on: "Y-11-06", codes: ["CRISIS"], type: "Phone" },
      { contact: "CALLED", kind: "Hotline call", on: "Y-11-06", form: "P1" },
      { form: "P2", of: "ann", on: "Y-11-07", codes: ["CRISIS"], type: "Phone" },
      { contact: "CAME", kind: "Walk-in", on: "Y-11-07", form: "P2" },
      { form: "P3", of: "ann", on: "Y-11-08", codes: [], type: "Phone", status: "Not Served" },
      { form: "F1", of: "ann", on: "Y-11-09", codes: ["CRISIS"] },
    ],
    periods: [
      {
        ...Q1,
        lines: { people_other_crimes: 1, hotline_contacts: "30 + 1 + 1 + 1 + 1 = 34" },
        behind: { hotline_contacts: ["CALLED", "CHAT", "P2", "P3", "TALLY"] },
      },
      // The contacts and forms of one advocate. That CALLED is linked to P1 does not depend on it.
      {
        ...Q1,
        by: "other",
        lines: { hotline_contacts: 1 },
      },
      // Contacts have no form type, forms do.
      {
        ...Q1,
        formType: "Phone",
        lines: { people_other_crimes: 1, hotline_contacts: "1 + 1 = 2" },
        behind: { hotline_contacts: ["P2", "P3"] },
      },
    ],
  },
  {
    // Adults and children count once a contact, whatever its number. Other reasons are not for lack of beds.
    name: "unmet requests for shelter",
    records: [
      {
        contact: "FAMILY",
        kind: "Shelter request",
        on: "Y-10-05",
        turnedAway: "capacity",
        adults: 1,
        children: 2,
      },
      {
        contact: "EVENING",
        kind: "Shelter request",
        on: "Y-11-05",
        number: 3,
        turnedAway: "capacity",
        adults: 4,
      },
      {
        contact: "CHILD",
        kind: "Walk-in",
        on: "Y-12-05",
        turnedAway: "capacity",
        adults: 0,
        children: 1,
      },
      {
        contact: "UNFIT",
        kind: "Walk-in",
        on: "Y-10-06",
        turnedAway: "not_appropriate",
        adults: 1,
        children: 1,
      },
      { contact: "TAKEN", kind: "Walk-in", on: "Y-10-07", turnedAway: "", adults: 1, children: 3 },
    ],
    periods: [
      {
        ...Q1,
        lines: {
          unmet_requests: "1 + 3 + 1 = 5",
          unmet_adults: "1 + 4 = 5",
          unmet_children: "2 + 1 = 3",
        },
        behind: { unmet_adults: ["EVENING", "FAMILY"], unmet_children: ["CHILD", "FAMILY"] },
      },
    ],
  },
  {
    // Of Ann COUNSEL-IND, LEGAL-INFO, and CRISIS on the phone are individual, COUNSEL-GRP is a group; HOTEL, INTERPRET,
    // COMP, and EMERG-AID are neither. Kim of unknown age counts as an adult. Dan, a boy of 10, has two rows of CHILD.
    // Eve was robbed: her counseling is not counted.
    name: "individual advocacy and support groups",
    people: {
      dan: { born: [10, "01-01"], gender: "Male", ethnicity: "Asian" },
      kim: { known: false },
    },
    records: [
      {
        form: "F1",
        of: "ann",
        on: "Y-12-05",
        codes: ["COUNSEL-IND", "COUNSEL-GRP", "LEGAL-INFO", "HOTEL", "INTERPRET", "COMP", "EMERG-AID"],
      },
      { form: "F2", of: "ann", on: "Y-12-06", codes: ["CRISIS"], type: "Phone" },
      { form: "F3", of: "dan", on: "Y-10-05", codes: ["CHILD", "CHILD"] },
      { form: "F4", of: "kim", on: "Y-10-06", codes: ["COUNSEL-GRP"] },
      { form: "F5", of: "dan", on: "Y-10-07", codes: ["COUNSEL-GRP"], status: "Partially Served" },
      { form: "F6", of: "dan", on: "Y-10-08", codes: ["COUNSEL-GRP"], status: "Not Served" },
      { survivor: "S1", of: "eve", on: "Y-10-01", victimizations: ["Robbery"] },
      { form: "F7", of: "eve", on: "Y-10-07", codes: ["COUNSEL-IND"] },
    ],
    periods: [
      {
        ...Q1,
        lines: {
          people_new: 3,
          people_other_crimes: 1,
          race_white_non_latino: 1,
          race_asian: 1,
          race_not_reported: 1,
          sex_female: 1,
          sex_male: 1,
          sex_not_reported: 1,
          age_25_59: 1,
          age_0_12: 1,
          age_not_reported: 1,
          nonshelter_adults: 1,
          nonshelter_children: 1,
          nonshelter_age_unknown: 1,
          advocacy_adults_individuals: 1,
          advocacy_adults_times: "2 + 1 = 3",
          advocacy_children_individuals: 1,
          advocacy_children_times: 2,
          groups_adults_individuals: "1 + 1 = 2",
          groups_adults_times: "1 + 1 = 2",
          groups_children_individuals: 1,
          groups_children_times: 1,
          hotline_contacts: 1,
        },
        behind: {
          advocacy_adults_times: ["F1", "F2", "ann"],
          advocacy_children_individuals: ["F3", "dan"],
          groups_adults_individuals: ["F1", "F4", "ann", "kim"],
        },
        gaps: {
          victimization: ["F1", "F2", "F3", "F4", "F5", "ann", "dan", "kim"],
          // The minutes of HOTEL without a night anywhere.
          shelterStay: ["F1", "ann"],
          race: ["F4", "kim"],
          sex: ["F4", "kim"],
          age: ["F4", "kim"],
        },
      },
    ],
  },
  {
    // She turns 18 on Dec 15. New on Oct 5, at 17. In January she is not new: she is a child by her first form of the
    // year. In the next year she is new again, as an adult.
    name: "a client who comes of age",
    people: { ann: { born: [18, "12-15"] } },
    records: [
      { survivor: "S1", of: "ann", on: "Y-10-05", ...PARTNER },
      { form: "F1", of: "ann", on: "Y-10-05", codes: ["CASE-MGMT"] },
      { form: "F2", of: "ann", on: "Z-01-05", codes: ["CASE-MGMT"] },
      { form: "F3", of: "ann", on: "Z-10-05", codes: ["CASE-MGMT"] },
    ],
    periods: [
      { ...Q2, lines: { ...advocacy("children") } },
      {
        from: "Z-10-01",
        to: "Z-12-31",
        lines: {
          people_new: 1,
          race_white_non_latino: 1,
          sex_female: 1,
          age_18_24: 1,
          nonshelter_adults: 1,
          ...advocacy("adults"),
        },
      },
      // New once over both years, on the earliest day.
      {
        from: "Y-10-01",
        to: "Z-12-31",
        lines: {
          people_new: 1,
          race_white_non_latino: 1,
          sex_female: 1,
          age_13_17: 1,
          nonshelter_children: 1,
          ...advocacy("children", "1 + 1 + 1 = 3"),
        },
      },
    ],
  },
  {
    // The period covers September of one year and October of the next.
    // Ann: in scope and active in July, so not new in September; new on Oct 5 of the new year, at 18.
    // Bea: nothing known in September (in scope); a robbery in October. Out of scope in the whole range: not new.
    // Cat: a robbery in September (out of scope); her partner on Oct 10. In scope in the whole range, new on Oct 10.
    name: "a range over the start of a year",
    people: { ann: { born: [18, "10-02"] }, cat: { born: [25, "10-08"] } },
    records: [
      { survivor: "S1", of: "ann", on: "Y-07-05", ...PARTNER },
      { form: "F1", of: "ann", on: "Y-07-05", codes: ["SAFETY"] },
      { form: "F2", of: "ann", on: "Y-09-05", codes: ["SAFETY"] },
      { form: "F3", of: "ann", on: "Y-10-05", codes: ["SAFETY"] },
      { form: "F4", of: "bea", on: "Y-09-06", codes: ["SAFETY"] },
      { survivor: "S2", of: "bea", on: "Y-10-06", victimizations: ["Robbery"] },
      { form: "F5", of: "bea", on: "Y-10-06", codes: ["SAFETY"] },
      { survivor: "S3", of: "cat", on: "Y-09-07", victimizations: ["Robbery"] },
      { form: "F6", of: "cat", on: "Y-09-07", codes: ["SAFETY"] },
      { survivor: "S4", of: "cat", on: "Y-10-10", ...PARTNER },
      { form: "F7", of: "cat", on: "Y-10-10", codes: ["SAFETY"] },
    ],
    periods: [
      {
        from: "Y-09-01",
        to: "Y-10-31",
        lines: {
          people_new: 2,
          people_other_crimes: 1,
          race_white_non_latino: 2,
          sex_female: 2,
          // Ann on Oct 5, Cat on Oct 10, two days after her 25th birthday.
          age_18_24: 1,
          age_25_59: 1,
          nonshelter_adults: 2,
          advocacy_adults_individuals: 2,
          advocacy_adults_times: "2 + 2 = 4",
        },
        behind: {
          people_new: ["F2", "F3", "F6", "F7", "ann", "cat"],
          people_other_crimes: ["F4", "F5", "bea"],
        },
      },
      // In September alone Ann is not new and was 17 in July. Her first form of the year is the one of July.
      {
        from: "Y-09-01",
        to: "Y-09-30",
        lines: {
          ...women(1),
          people_other_crimes: 1,
          nonshelter_adults: 1,
          advocacy_adults_individuals: 1,
          advocacy_adults_times: 1,
          advocacy_children_individuals: 1,
          advocacy_children_times: 1,
        },
        behind: { people_new: ["F4", "bea"], advocacy_children_times: ["F2", "ann"] },
      },
    ],
  },
  {
    // The first stay of the year in which someone came along is the second one. Its adult counts, and nobody later.
    name: "people who came along with the second stay",
    records: [
      { stay: "A", of: "ann", in: "house", from: "Y-10-01", to: "Y-10-03" },
      { stay: "B", of: "ann", in: "house", from: "Y-11-01", to: "Y-11-03", adults: 1 },
      { stay: "C", of: "ann", in: "house", from: "Y-12-01", to: "Y-12-04", children: 2 },
    ],
    periods: [
      {
        ...Q1,
        lines: {
          ...women(1),
          shelter_adults: 1,
          shelter_people: 1,
          stays_begun: 3,
          along_adults: 1,
          shelter_nights: "2*1 + 2*2 + 3*3 = 15",
        },
        behind: { along_adults: ["B"], along_children: [] },
      },
      {
        from: "Y-12-01",
        to: "Y-12-31",
        lines: { shelter_people: 1, stays_begun: 1, shelter_nights: "3*3 = 9" },
      },
    ],
  },
  {
    // The motel counts through Nov 9 and not from Nov 10. The nights of Nov 5 to 9 count; coming back into the house on
    // Nov 15 begins a stay, because the nights before it are not looked at. Walk-ins are hotline from Nov 10.
    name: "mappings that change in mid-quarter",
    mappings: [
      { kind: "shelter", of: "motel", line: "none", from: "Y-11-10" },
      { kind: "contact_kind", of: "Walk-in", line: "hotline", from: "Y-11-10" },
      { kind: "form_type", of: "Phone", line: "none", from: "Y-11-10" },
    ],
    records: [
      { stay: "A", of: "ann", in: "motel", from: "Y-11-05", to: "Y-11-15" },
      { stay: "B", of: "ann", in: "house", from: "Y-11-15", to: "Y-11-16" },
      { contact: "W1", kind: "Walk-in", on: "Y-11-09", number: 2 },
      { contact: "W2", kind: "Walk-in", on: "Y-11-10", number: 3 },
      { form: "P1", of: "ann", on: "Y-11-09", codes: ["SAFETY"], type: "Phone" },
      { form: "P2", of: "ann", on: "Y-11-10", codes: ["SAFETY"], type: "Phone" },
    ],
    periods: [
      {
        ...Q1,
        lines: {
          ...women(1),
          shelter_adults: 1,
          shelter_people: 1,
          stays_begun: "1 + 1 = 2",
          shelter_nights: "5 + 1 = 6",
          hotline_contacts: "3 + 1 = 4",
          ...advocacy("adults", 2),
        },
        behind: { hotline_contacts: ["P1", "W2"], stays_begun: ["A", "B"] },
      },
      // Only the nights that count: she is not in shelter from Nov 10 to 14.
      { from: "Y-11-11", to: "Y-11-14", lines: {} },
    ],
  },
  {
    // The owner recorded the stay and F1, the other advocate F2 and Bea's form. In shelter and new are facts about the
    // client. Under a form type no stay makes a client active, and lines of stays and contacts are not shown.
    name: "filters",
    records: [
      { stay: "A", of: "ann", in: "house", from: "Y-10-05", to: "Y-10-08", adults: 1 },
      { form: "F1", of: "ann", on: "Y-10-06", codes: ["COUNSEL-IND"] },
      { form: "F2", of: "ann", on: "Y-10-07", codes: ["COUNSEL-IND"], by: "other" },
      { form: "F3", of: "bea", on: "Y-10-07", codes: ["COUNSEL-IND"], by: "other" },
      { stay: "C1", of: "cat", in: "house", from: "Y-10-09", to: "Y-10-10", by: "other" },
      { contact: "CALL", kind: "Hotline call", on: "Y-10-05", number: 4, by: "other" },
    ],
    periods: [
      {
        ...Q1,
        by: "owner",
        lines: {
          ...women(1),
          shelter_adults: 1,
          shelter_people: 1,
          stays_begun: 1,
          along_adults: 1,
          shelter_nights: "3*2 = 6",
          ...advocacy("adults"),
        },
        behind: { people_new: ["A", "F1", "ann"] },
      },
      {
        ...Q1,
        by: "other",
        lines: {
          ...women("1 + 1 + 1 = 3"),
          shelter_adults: "1 + 1 = 2",
          nonshelter_adults: 1,
          // Of Ann's stay this advocate recorded nothing.
          shelter_people: 1,
          stays_begun: 1,
          shelter_nights: 1,
          hotline_contacts: 4,
          advocacy_adults_individuals: 2,
          advocacy_adults_times: 2,
        },
        behind: { shelter_people: ["C1", "cat"], people_new: ["C1", "F2", "F3", "ann", "bea", "cat"] },
      },
      {
        ...Q1,
        formType: "Service",
        lines: {
          ...women("1 + 1 = 2"),
          shelter_adults: 1,
          nonshelter_adults: 1,
          advocacy_adults_individuals: 2,
          advocacy_adults_times: 3,
        },
        behind: { people_new: ["F1", "F2", "F3", "ann", "bea"] },
      },
    ],
  },
  {
    // Transgender and Other have an answer: not reported, and no gap. Unknown is a gap.
    name: "sex of new clients",
    people: {
      ann: { gender: "Male" },
      bea: { gender: "Transgender" },
      cat: { gender: "Other" },
      dee: { gender: "Unknown" },
    },
    records: [
      { form: "F1", of: "ann", on: "Y-10-05", codes: ["LAW-ENF"] },
      { form: "F2", of: "bea", on: "Y-10-05", codes: ["HOSPITAL"] },
      { form: "F3", of: "cat", on: "Y-10-05", codes: ["TRANSPORT"] },
      { form: "F4", of: "dee", on: "Y-10-05", codes: ["REFERRAL"] },
    ],
    periods: [
      {
        ...Q1,
        lines: {
          people_new: 4,
          race_white_non_latino: 4,
          age_25_59: 4,
          nonshelter_adults: 4,
          sex_male: 1,
          sex_not_reported: "1 + 1 + 1 = 3",
          advocacy_adults_individuals: 4,
          advocacy_adults_times: 4,
        },
        gaps: {
          sex: ["F4", "dee"],
          victimization: ["F1", "F2", "F3", "F4", "ann", "bea", "cat", "dee"],
        },
      },
    ],
  },
];

/** Days as days from today: "T-3". Nights that have not begun do not exist; tonight counts. */
export const TODAY_WORLD: World = {
  name: "nights around today",
  records: [
    // Tonight and the three nights before.
    { stay: "OPEN", of: "ann", in: "house", from: "T-3", to: null },
    // Three nights before today, and tonight: the planned end lies ahead.
    { stay: "ENDS", of: "bea", in: "house", from: "T-3", to: "T+5", children: 1, stored: true },
    // Not begun.
    { stay: "AHEAD", of: "cat", in: "house", from: "T+2", to: null, stored: true },
    // Her stay begins tonight.
    { stay: "TONIGHT", of: "dee", in: "house", from: "T+0", to: null },
  ],
  periods: [
    {
      from: "T-10",
      to: "T+20",
      lines: { shelter_people: 3, stays_begun: 3, shelter_nights: "4*1 + 4*2 + 1*1 = 13" },
      behind: {
        shelter_nights: ["ENDS", "OPEN", "TONIGHT"],
        shelter_people: ["ENDS", "OPEN", "TONIGHT", "ann", "bea", "dee"],
      },
    },
    { from: "T-3", to: "T-2", lines: { shelter_people: 2, stays_begun: 2, shelter_nights: "2*1 + 2*2 = 6" } },
    { from: "T+1", to: "T+20", lines: {} },
  ],
};
