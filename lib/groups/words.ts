// Words of groups. They are not in the schema's module, so that lists do not load the schema.

export const groupMessages = {
  created: "Created group successfully",
  updated: "Updated group successfully",
  removed: "Removed group successfully",
  sessionCreated: "Created session successfully",
  sessionUpdated: "Updated session successfully",
  sessionRemoved: "Removed session successfully",
};

/** Stated next to the number of people without a record. */
export const NOT_COUNTED = "Not in reports: make a record to count a person.";
