// Words that several modules use, declared once. Imports nothing, so that it cannot create an import cycle.

/** The problem of a field without a value, after its label. */
export const REQUIRED = "is required";

/** The heading of the owning advocate on screens, in lists and in files. */
export const ADVOCATE_NAME = "Advocate Name";

/**
 * The labels of a user's fields. They are here because the sign-in page shows them before it loads a schema.
 */
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

/** The declared label of a client's name. */
export const DECLARED_CLIENT_NAME = "Client Name";
