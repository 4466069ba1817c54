/**
 * The texts that the specification quotes, letter for letter, by the screen that shows each. The key of a settings list is
 * its path; its three texts follow a created, an updated, and a removed record.
 */
export const SPECIFIED = {
  login: { unauthorized: "Unauthorized Request" },
  forgotPassword: { sent: "We sent you an email to confirm that you want to reset your password." },
  updatePassword: {
    heading: "Your password must meet all requirements to continue.",
    done: "Your password has been updated",
  },
  activation: {
    searching: "Searching for account ....",
    done: "Your account has been activated. Please set your password.",
    failed: "Your account could not be activated. Please try clicking the link you received again.",
  },
  profile: {
    hint: "Only set password to change it.",
    number: "Needs to contain at least one number",
    lowercase: "Needs to contain at least one lowercase letter",
    uppercase: "Needs to contain at least one uppercase letter",
    length: "Needs to contain at least 8 characters",
    confirmation: "Passwords do not match",
    done: "You have successfully updated your profile!",
  },
  serviceCode: ["Can be Magistrate", "On Call Main Type", "Has Referral"],
  serviceCodeGroup: "Form Type",
  noChoice: "-- Select --",
  allUsers: "-- All Users--",
  form: {
    continuing: "Continuing Client",
    clientName: "Client Name *",
    offender: "Offender Relationship *",
    minutes: "minutes total",
  },
  serviceStatus: [
    "Services not appropriate for victim/survivor",
    "Inadequate language capacity",
    "Lack of Agency Capacity",
    "Insufficient transportation/access to service",
    "Insufficient or lack of culturally appropriate services",
    "Insufficient services for people with disabilities",
  ],
  deletion: { title: "Delete", question: "Are you sure you want to delete" },
  errors: { noText: "Undefined response from server", unrecognized: "Something went wrong" },
  clients: ["Created client successfully", "Updated client successfully", "Removed client successfully"],
  forms: ["Created form successfully", "Updated form successfully", "Removed form successfully"],
  review: ["Reconciled successfully", "Unreconciled successfully"],
  resetLink: "Reset link sent successfully",
  lists: {
    age_brackets: [
      "Created age bracket successfully",
      "Updated age bracket successfully",
      "Removed ageBracket successfully",
    ],
    canines: ["Made Canine successfully", "Updated Canine successfully", "Removed canine successfully"],
    magisterial_court_outcomes: [
      "Created Magisterial Court Outcome successfully",
      "Updated Magisterial Court Outcome successfully",
      "Removed Magisterial Court Outcome successfully",
    ],
    pfa_court_contact_types: [
      "Created PFA Court Contact Type successfully",
      "Updated PFA Court Contact Type successfully",
      "Removed pfaCourtContactType successfully",
    ],
    referral_sources: [
      "Created shipping method successfully",
      "Updated shipping method successfully",
      "Removed referralSource successfully",
    ],
    roles: ["Created role successfully", "Updated role successfully", "Removed role successfully"],
    secondary_victimizations: [
      "Created shipping method successfully",
      "Updated shipping method successfully",
      "Removed secondaryVictimization successfully",
    ],
    service_codes: [
      "Created Magisterial Court Outcome successfully",
      "Updated Magisterial Court Outcome successfully",
      "Removed serviceCode successfully",
    ],
    users: ["Created user successfully", "Updated user successfully", "Removed user successfully"],
  },
} as const;
