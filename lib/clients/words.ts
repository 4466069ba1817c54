import { labelFor } from "@/lib/core/fields/labels";

/** The declared label of a client's name. */
export const DECLARED_CLIENT_NAME = "Client Name";

/** The labels of the fields that lists and files also show. */
export const CLIENT_LABELS = {
  get name() {
    return labelFor("client.name", DECLARED_CLIENT_NAME);
  },
  createdOn: "Created On",
};

export const GENDERS = ["Unknown", "Male", "Female", "Transgender", "Other"] as const;

export const clientMessages = {
  created: "Created client successfully",
  updated: "Updated client successfully",
  removed: "Removed client successfully",
};

/** The name of a client after a purge. */
export const REMOVED_CLIENT = "Removed client";
