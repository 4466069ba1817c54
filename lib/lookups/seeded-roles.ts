import { PERMISSION_NAMES, type PermissionName } from "@/lib/core/access/permissions";

const ADVOCATE = [
  "Forms",
  "Clients",
  "Contacts",
  "Shelter",
  "Activities",
  "Groups",
  "Events",
  "Outcome Surveys",
] as const;
const SUPERVISOR = [...ADVOCATE, "All Forms", "Reports", "Restrict Clients"] as const;

/** The roles of a new database, from which a new role can start. The guide lists them (docs/guide/people-and-roles.md). */
export const SEEDED_ROLES: Readonly<Record<string, readonly PermissionName[]>> = {
  Administrator: PERMISSION_NAMES,
  Advocate: ADVOCATE,
  Supervisor: SUPERVISOR,
  Director: [...SUPERVISOR, "Reports Setup", "Close Periods", "Audit Log", "Export"],
};
