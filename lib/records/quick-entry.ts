import { can, type SessionUser } from "@/lib/core/access/permissions";
import { type RecordKey, records } from "@/lib/records/registry";

/** The kinds of records that the quick entry offers over any page, in this order. */
const ENTERED = ["contacts", "activities", "events"] as const satisfies readonly RecordKey[];
export type EnteredKey = (typeof ENTERED)[number];

/** Returns those that the user may record. */
export const enteredKinds = (user: Pick<SessionUser, "permissions">): EnteredKey[] =>
  ENTERED.filter((key) => can(user, records[key].permission));
