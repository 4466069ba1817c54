export const GENDERS = ["Unknown", "Male", "Female", "Transgender", "Other"] as const;

export const clientMessages = {
  created: "Created client successfully",
  updated: "Updated client successfully",
  removed: "Removed client successfully",
};

/** The name of a client after a purge. */
export const REMOVED_CLIENT = "Removed client";
