// Words that several rooms use, said once. This module imports nothing, so that it closes no circle of rooms.

/** What is said of a field without a value, after its label. */
export const REQUIRED = "is required";

/** What the advocate whose record it is stands under, on screens, in lists and in files. */
export const ADVOCATE_NAME = "Advocate Name";

/** The labels of a user's fields. They stand here because the sign-in page shows them before it loads a schema. */
export const USER_LABELS = {
  firstName: "First Name",
  lastName: "Last Name",
  email: "Email",
  role: "Role",
  password: "Password",
  newPassword: "New Password",
  passwordConfirmation: "New Password Confirmation",
  code: "Code",
} as const;

/** The labels of a client's fields that lists and files show too. */
export const CLIENT_LABELS = { name: "Client Name", createdOn: "Created On" } as const;
