// Words of contacts. They are not in the schema's module, so that lists and the quick entry do not load the schema.

/** The labels of a contact's fields. */
export const CONTACT_LABELS = {
  contactedOn: "Date",
  contactKind: "Kind",
  number: "How Many",
  minutes: "Minutes",
  ageBracket: "Age Bracket",
  gender: "Gender",
  referralSource: "Referral Source",
  shelterRequested: "Shelter Requested",
  adults: "Adults",
  children: "Children",
  turnedAwayReason: "Turned Away",
} as const;

/** The reasons why a caller who requested shelter was turned away. */
export const TURNED_AWAY_REASONS = [
  { value: "capacity", label: "No room" },
  { value: "not_appropriate", label: "Not appropriate" },
  { value: "other", label: "Other reason" },
] as const;

export const NUMBER_MAX = 500;

export const contactMessages = {
  updated: "Updated contact successfully",
  removed: "Removed contact successfully",
};

/** The promise that the columns of contacts keep. */
export const NO_NAMES = "No name, phone number, address, or text about a caller is stored.";
