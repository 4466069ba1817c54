// Labels of contacts. They are not in the schema's module, so that lists do not load the schema.

/** Labels of the fields that lists also show. */
export const CONTACT_LABELS = {
  contactedOn: "Date",
  contactKind: "Kind",
  number: "Number",
  minutes: "Minutes",
} as const;

/** The bounds of the fields of the quick entry. */
export const NUMBER_MAX = 500;

export const contactMessages = {
  created: "Recorded contact successfully",
  updated: "Updated contact successfully",
  removed: "Removed contact successfully",
};

/** The promise that the columns of contacts keep. */
export const NO_NAMES = "No name, phone number, address or text of a caller is stored.";
