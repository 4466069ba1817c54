// The pages of the program by name. Links, titles, the menu and the server's list of pages follow from this table.

/** A page: its path and, unless its content names it, its title. */
type Page = { path: string; title?: string };

/** All pages by name. */
export const PAGES = {
  login: { path: "/", title: "Login" },
  forgotPassword: { path: "/forgot_password", title: "Forgot Password" },
  updatePassword: { path: "/update_password/{token}", title: "Update Password" },
  activateAccount: { path: "/account/{token}/activate", title: "Account Activation" },
  singleSignOn: { path: "/single_sign_on", title: "Sign-in" },
  twoStep: { path: "/two_step", title: "Two-Step Sign-In" },
  profile: { path: "/profile", title: "Profile" },
  home: { path: "/home", title: "Home" },
  formsList: { path: "/forms", title: "Forms" },
  formsNew: { path: "/forms/new", title: "New Form" },
  formsReview: { path: "/forms/review", title: "Review Forms" },
  formsView: { path: "/forms/{id}", title: "Form" },
  formsEdit: { path: "/forms/{id}/edit", title: "Edit Form" },
  formsHistory: { path: "/forms/{id}/history", title: "History of Form" },
  clientsList: { path: "/clients", title: "Clients" },
  clientsNew: { path: "/clients/new", title: "New Client" },
  clientsShow: { path: "/clients/{id}", title: "Client" },
  clientsEdit: { path: "/clients/{id}/edit", title: "Edit Client" },
  clientsMerge: { path: "/clients/{id}/merge", title: "Merge Client" },
  clientsHistory: { path: "/clients/{id}/history", title: "History of Client" },
  clientsPrint: { path: "/clients/{id}/print", title: "Record of Client" },
  shelter: { path: "/shelter", title: "Shelter" },
  staysList: { path: "/stays", title: "Stays" },
  staysEdit: { path: "/stays/{id}/edit", title: "Edit Stay" },
  staysHistory: { path: "/stays/{id}/history", title: "History of Stay" },
  groupsList: { path: "/groups", title: "Groups" },
  groupsNew: { path: "/groups/new", title: "New Group" },
  groupsShow: { path: "/groups/{id}", title: "Group" },
  groupsEdit: { path: "/groups/{id}/edit", title: "Edit Group" },
  groupsHistory: { path: "/groups/{id}/history", title: "History of Group" },
  groupsSignIn: { path: "/groups/{id}/sign_in", title: "Sign-In Sheet" },
  sessionsNew: { path: "/groups/{id}/sessions/new", title: "New Session" },
  sessionsEdit: { path: "/groups/{id}/sessions/{sessionId}", title: "Session" },
  sessionsHistory: { path: "/groups/{id}/sessions/{sessionId}/history", title: "History of Session" },
  outcomeCards: { path: "/outcome_surveys/cards", title: "Print Cards" },
  // Each declared record is named in lib/records/registry.ts.
  recordsList: { path: "/{records}" },
  recordsEdit: { path: "/{records}/{id}/edit" },
  recordsHistory: { path: "/{records}/{id}/history" },
  reportsList: { path: "/reports", title: "Reports" },
  reportsTime: { path: "/reports/time", title: "My Time" },
  reportsShow: { path: "/reports/{report}" },
  reportsGap: { path: "/reports/{report}/gaps/{field}" },
  reportsLine: { path: "/reports/{report}/lines/{line}" },
  reportsSubmission: { path: "/reports/{report}/submissions/{id}" },
  settings: { path: "/settings", title: "Settings" },
  lists: { path: "/settings/lists", title: "Lists" },
  setUp: { path: "/settings/setup", title: "Set Up" },
  organization: { path: "/settings/organization", title: "Organization" },
  reportsSetup: { path: "/settings/reports/{report}", title: "Reports Setup" },
  fields: { path: "/settings/fields", title: "Form Setup" },
  closedPeriods: { path: "/settings/closed_periods", title: "Closed Periods" },
  retention: { path: "/settings/retention", title: "Retention" },
  imports: { path: "/settings/imports", title: "Import" },
  auditLog: { path: "/settings/audit_log", title: "Audit Log" },
  allData: { path: "/settings/all_data", title: "All Data" },
  // Each settings list is named in lib/lookups/registry.ts; their new and edit pages share one screen.
  activityKindsList: { path: "/settings/activity_kinds" },
  ageBracketsList: { path: "/settings/age_brackets" },
  canineList: { path: "/settings/canines" },
  contactKindsList: { path: "/settings/contact_kinds" },
  custodyStatusList: { path: "/settings/custody_statuses" },
  educationLevelsList: { path: "/settings/education_levels" },
  ethnicitiesList: { path: "/settings/ethnicities" },
  eventKindsList: { path: "/settings/event_kinds" },
  exitDestinationsList: { path: "/settings/exit_destinations" },
  formTypesList: { path: "/settings/form_types" },
  hateCrimeCategoriesList: { path: "/settings/hate_crime_categories" },
  incomeLevelsList: { path: "/settings/income_levels" },
  magisterialCourtOutcomesList: { path: "/settings/magisterial_court_outcomes" },
  offenderRelationshipsList: { path: "/settings/offender_relationships" },
  outcomeQuestionsList: { path: "/settings/outcome_questions" },
  pfaCourtContactTypesList: { path: "/settings/pfa_court_contact_types" },
  referralSourcesList: { path: "/settings/referral_sources" },
  rolesList: { path: "/settings/roles" },
  secondaryVictimizationsList: { path: "/settings/secondary_victimizations" },
  serviceCodesList: { path: "/settings/service_codes" },
  sheltersList: { path: "/settings/shelters" },
  usersList: { path: "/settings/users" },
  listNew: { path: "/settings/{list}/new" },
  listEdit: { path: "/settings/{list}/{id}/edit" },
  help: { path: "/help", title: "Help" },
  helpPage: { path: "/help/{page}" },
  apiDocs: { path: "/api/docs", title: "API" },
} as const satisfies Record<string, Page>;

export type PageName = keyof typeof PAGES;

type ParamsIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamsIn<Rest> : never;
type Params<Path> = Record<ParamsIn<Path>, string | number>;
type Args<Path> = ParamsIn<Path> extends never ? [] : [params: Params<Path>];

const filled = (path: string, params: Readonly<Record<string, string | number>> = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));

/** Returns the path of a page: `to("formsEdit", { id: 5 })` is `/forms/5/edit`. */
export const to = <Name extends PageName>(
  name: Name,
  ...[params]: Args<(typeof PAGES)[Name]["path"]>
): string => filled(PAGES[name].path, params);
