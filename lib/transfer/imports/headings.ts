import { plainHeading } from "@/lib/core/fields/columns";
import { foldText } from "@/lib/core/text/fold-text";
import { NAME_PARTS, type NamePart } from "@/lib/transfer/imports/texts";

// Headings that programs and people give to columns.

/** Other usual headings of a field, by its name. */
export const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  name: [
    "Full Name",
    "Name of Client",
    "Client",
    "Survivor",
    "Victim",
    "Participant",
    "Resident",
    "Legal Name",
  ],
  address: [
    ...["Street", "Street Address", "Home Address", "Mailing Address", "Physical Address", "Current Address"],
    ...[
      "Address 1",
      "Address Line 1",
      "Addr",
      "Addr 1",
      "House Number",
      "Street Number",
      "Street Name",
      "Residence",
    ],
  ],
  address2: [
    "Address Line 2",
    "Addr 2",
    "Apartment",
    "Apt",
    "Apt Number",
    "Unit",
    "Unit Number",
    "Suite",
    "Address 3",
    "Address Line 3",
  ],
  city: ["Town", "City or Town", "Municipality", "City of Residence"],
  state: ["ST", "State of Residence", "State Code"],
  postalCode: ["Zip", "Zip Code", "Zip 5", "Zip Plus 4", "Postcode", "Postal"],
  phoneNumber: [
    ...["Phone", "Phone No", "Phone 1", "Primary Phone", "Telephone", "Telephone Number", "Tel", "Tel No"],
    ...[
      "Cell",
      "Cell Phone",
      "Cell Number",
      "Mobile",
      "Mobile Phone",
      "Home Phone",
      "Contact Number",
      "Best Phone",
    ],
    ...["Safe Phone", "Safe Phone Number", "Safe Number"],
  ],
  dateOfBirth: ["DOB", "D.O.B.", "Birth Date", "Birthdate", "Date Birth", "Birthday", "Born"],
  ageBracketId: ["Age Group", "Age Range", "Age Category", "Age Bracket"],
  gender: ["Sex", "Gender Identity", "Sex or Gender", "M/F"],
  ethnicityId: [
    "Race",
    "Race/Ethnicity",
    "Race & Ethnicity",
    "Ethnicity/Race",
    "Ethnic Group",
    "Ethnic Background",
  ],
  lgbt: ["LGBTQ", "LGBTQ+", "LGBTQIA", "LGBTQIA+", "LGBTQ2S+", "Identifies as LGBTQ"],
  elderly: ["Elder", "Senior", "Senior Citizen", "Older Adult"],
  remoteArea: ["Rural", "Rural Area", "Lives in Rural Area"],
  limitedEnglish: [
    "LEP",
    "Limited English Proficiency",
    "Limited English Proficient",
    "Limited English Speaking",
  ],
  immigrant: [
    "Immigrant/Refugee",
    "Refugee",
    "Immigrant or Refugee",
    "Refugee/Immigrant",
    "Immigrant/Refugee/Asylum Seeker",
  ],
  homeless: ["Homelessness", "Unhoused", "Experiencing Homelessness", "Currently Homeless"],
  military: [
    "Veteran",
    "Vet",
    "Military Service",
    "Veteran or Military",
    "Veteran Status",
    "Military/Veteran",
  ],
  disability: ["Disabled", "Has Disability", "Person with Disability", "Any Disability", "Disabilities"],
  createdOn: [
    ...[
      "Date Created",
      "Client Since",
      "Intake Date",
      "Date of Intake",
      "Date Opened",
      "Open Date",
      "Opened",
    ],
    ...[
      "Opened On",
      "Case Opened",
      "Enrollment Date",
      "Date Enrolled",
      "First Contact",
      "Date of First Contact",
    ],
  ],
  email: [
    ...["Staff Email", "Worker Email", "Case Manager Email", "Counselor Email"],
    // The column may have the names of the accounts instead.
    ...["Advocate", "Advocate Name", "Assigned Advocate", "Assigned To", "Case Manager", "Case Worker"],
    ...["Counselor", "Staff", "Staff Name", "Staff Member", "Worker"],
  ],
  serviceOn: ["Service Date", "Date of Service", "Date Served"],
  serviceCodeId: ["Service", "Service Type", "Type of Service"],
  minutes: ["Duration", "Length", "Minutes Spent", "Time in Minutes", "Duration (Minutes)", "Time Spent"],
  contactedOn: ["Call Date", "Date of Call", "Contact Date", "Date of Contact"],
  occurredOn: ["Date of Activity", "Activity Date"],
  number: ["Number of Callers", "Number of Contacts", "Number of People", "Count", "Quantity"],
  contactKindId: ["Type", "Call Type", "Type of Call", "Contact Type", "Type of Contact", "Contact Kind"],
  activityKindId: ["Type", "Activity", "Activity Type", "Type of Activity", "Activity Kind"],
  shelterId: ["Shelter", "Shelter Name", "Location", "Site"],
  enteredOn: [
    "Entry Date",
    "Move-in Date",
    "Check-in",
    "Check-in Date",
    "Admit Date",
    "Admission Date",
    "Date In",
    "Date Entered",
  ],
  leftOn: [
    "Exit Date",
    "Move-out Date",
    "Check-out",
    "Check-out Date",
    "Discharge Date",
    "Date Out",
    "Date Left",
  ],
  referralSourceId: ["Referral", "Referred By", "Source of Referral", "Referral From"],
};

/** Other usual headings of the Id under which another program stores a record. */
export const ID_SYNONYMS = [
  ...[
    "Id",
    "ID No",
    "ID Number",
    "Record Id",
    "Unique Id",
    "Case Id",
    "Case Number",
    "Case No",
    "File Number",
    "File No",
  ],
  ...["Client Number", "Client No", "Client Code", "Participant Id", "Participant Number", "HMIS Id", "MRN"],
];

/** The labels and usual headings of the parts of a name. */
const PART_HEADINGS: Readonly<Record<NamePart, readonly [label: string, ...others: string[]]>> = {
  first: ["First Name", "First", "Given Name", "Fname", "F Name", "Forename"],
  middle: ["Middle Name", "Middle", "MI", "M.I.", "Middle Initial", "Mname"],
  last: ["Last Name", "Last", "Surname", "Family Name", "Lname", "L Name"],
  suffix: ["Name Suffix", "Suffix"],
};
export const partsOfName = NAME_PARTS.map((name) => ({ name, headings: PART_HEADINGS[name] }));

const OWNER_WORDS =
  /^(?:(?:what is |what's |please enter |enter )?your|(?:the )?(?:clients?|survivors?|victims?|participants?|residents?|callers?|guests?)(?:'s|s')?(?:\/(?:clients?|survivors?|victims?))?) /;

/** Returns a heading as letters and digits in lower case. */
export const plainName = (heading: string): string =>
  foldText(heading.replaceAll("#", " number ")).replace(/[^\p{L}\p{N}]/gu, "");

/** Returns the forms of a heading that are compared, the most exact first: without what is in parentheses, and without "Client's". */
export function headingForms(heading: string): string[] {
  const text = foldText(heading);
  const short = text
    .replace(/\([^)]*\)/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  const forms = [text, short, text.replace(OWNER_WORDS, ""), short.replace(OWNER_WORDS, "")];
  return [...new Set(forms.map(plainName))].filter((form) => form !== "");
}

const NEGATION =
  /\b(?:not|no|non|never|unsafe|without|cannot|stop|avoid|dnc|dont|cant|isnt|wont|shouldnt|arent|\p{L}+n't)\b/u;

/** True for a heading whose yes may mean that calling is not safe, such as `Do not call`. It never means Safe to Call. */
export const isNegated = (heading: string): boolean =>
  NEGATION.test(foldText(heading).replace(/[_./]/g, " "));

/** True for a heading that says that it is safe or OK to call. */
export const saysSafeToCall = (heading: string): boolean => {
  const words = foldText(heading).replace(/[_./]/g, " ");
  return (
    /\b(?:safe|ok|okay)\b/.test(words) && /\b(?:calls?|calling|to phone)\b/.test(words) && !isNegated(heading)
  );
};

/** True if yes and no below the heading of a column with this label mean that calling is safe or not. */
export const isSafeHeading = (heading: string, label: string): boolean =>
  saysSafeToCall(heading) || plainHeading(heading) === plainHeading(label);
