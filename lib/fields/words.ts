// What is shown by several rooms is called by one name.

/** What the advocate whose record it is stands under, on screens, in lists and in files. */
export const ADVOCATE_NAME = "Advocate Name";

/** The labels of a client's fields that lists and files show too. */
export const CLIENT_LABELS = { name: "Client Name", createdOn: "Created On" } as const;
