// Words of stays. They are not in the schema's module, so that the board and the client's page do not load the schema.

/** The labels of a stay's fields. */
export const STAY_LABELS = {
  shelter: "Shelter",
  enteredOn: "Entered On",
  leftOn: "Left On",
  adults: "Other Adults",
  childrenThirteenToSeventeen: "Children 13 to 17",
  childrenUnderThirteen: "Children Under 13",
  exitDestination: "Exit Destination",
  medicalAdvocacy: "Medical Advocacy",
} as const;

export const stayMessages = {
  created: "Moved in successfully",
  moved: "Moved successfully",
  left: "Moved out successfully",
  updated: "Updated stay successfully",
  removed: "Removed stay successfully",
};

/** The badge of a stay that overlaps another stay of the same client. */
export const OVERLAP_BADGE = {
  status_code: "warning",
  status_title: "Stay",
  description: "The client has another stay at the same time",
  display_status: "Overlap",
};

/** The hash of the shelter board's URL that opens the move-in. */
export const MOVE_IN_HASH = "move-in";
