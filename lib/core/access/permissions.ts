/** The seeded permission names, in the order the screens show them. */
export const PERMISSION_NAMES = [
  "Forms",
  "Clients",
  "All Forms",
  "Age Brackets",
  "Canines",
  "Custody Statuses",
  "Education Levels",
  "Ethnicities",
  "Hate Crime Categories",
  "Income Levels",
  "Magisterial Court Outcomes",
  "Offender Relationships",
  "PFA Court Contact Types",
  "Referral Sources",
  "Secondary Victimizations",
  "Service Codes",
  "Users",
  "Roles",
  "Audit Log",
  "Retention",
  "Export",
  "Import",
  "Reports",
  "Reports Setup",
  "Close Periods",
  "Restrict Clients",
  "API Tokens",
  "Contacts",
  "Shelter",
  "Contact Kinds",
  "Shelters",
  "Exit Destinations",
  "Form Types",
  "Form Setup",
  "Activities",
  "Activity Kinds",
  "Organization",
  "Groups",
  "Events",
  "Outcome Surveys",
  "Event Kinds",
  "Outcome Questions",
] as const;

type Key<Name extends string> = Name extends `${infer Head} ${infer Rest}`
  ? `${Lowercase<Head>}-${Key<Rest>}`
  : Lowercase<Name>;

export type PermissionName = (typeof PERMISSION_NAMES)[number];
/** A permission's key: its name in lower case, spaces as hyphens. */
export type Permission = Key<PermissionName>;

/** The users who may use an endpoint or page: anyone, any signed-in user, or holders of (one of) the permissions. */
export type Access = Permission | readonly Permission[] | "signed-in" | "guest";

export type NamedItem = { id: number; name: string };

/** The signed-in user, as the session knows them. */
export type SessionUser = {
  userId: number;
  firstName: string;
  lastName: string;
  email: string;
  permissions: NamedItem[];
  /** True if the role requires two-step sign-in that is not set up. Everything else is then refused. */
  twoStepRequired: boolean;
  /** The ids of the clients hidden from the user; usually none (lib/core/access/scope.ts). Never sent to the browser. */
  hiddenClients: readonly number[];
};

/** The parts of the session that callers may see (`GET /api/me`). */
export type Me = Omit<SessionUser, "hiddenClients">;

export const meOf = ({
  userId,
  firstName,
  lastName,
  email,
  permissions,
  twoStepRequired,
}: SessionUser): Me => ({
  userId,
  firstName,
  lastName,
  email,
  permissions,
  twoStepRequired,
});

/** `"All Forms"` → `"all-forms"`. */
export const permissionKey = (name: string): string => name.toLowerCase().replaceAll(" ", "-");

/** The keys of all permissions. */
export const permissionKeys = PERMISSION_NAMES.map((name) => permissionKey(name) as Permission);

/** True if the user holds the permission, or if the permission is empty. */
export const can = (user: Pick<SessionUser, "permissions">, permission: Permission | ""): boolean =>
  permission === "" || user.permissions.some((held) => permissionKey(held.name) === permission);

/** True if the user holds at least one of the permissions. */
export const canAny = (user: Pick<SessionUser, "permissions">, permissions: readonly Permission[]): boolean =>
  permissions.some((permission) => can(user, permission));

/** True if the user holds each of the permissions. */
export const canAll = (user: Pick<SessionUser, "permissions">, permissions: readonly Permission[]): boolean =>
  permissions.every((permission) => can(user, permission));

/** Groups need each of these permissions. */
export const GROUP_PERMISSIONS = ["groups", "forms", "clients"] as const;

/** The names of the permissions that the user does not hold. */
export const lackedPermissions = ({ permissions }: Pick<SessionUser, "permissions">): string[] =>
  PERMISSION_NAMES.filter((name) => !permissions.some((held) => held.name === name));

/** True if the signed-in user meets the requirement. */
export const allows = (need: Access, user: Pick<SessionUser, "permissions">): boolean =>
  need === "guest" || need === "signed-in" || canAny(user, typeof need === "string" ? [need] : need);

/** True if the user may merge clients and undo that: it removes a client, and moves other people's forms. */
export const mayMerge = (user: Pick<SessionUser, "permissions">): boolean =>
  can(user, "clients") && can(user, "forms") && can(user, "all-forms");

export const fullName = ({ firstName, lastName }: Pick<SessionUser, "firstName" | "lastName">): string =>
  `${firstName} ${lastName}`;
