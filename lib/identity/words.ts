/**
 * The labels of a user's fields. They are not in the schema's module, because the sign-in page shows them before it
 * loads a schema.
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
