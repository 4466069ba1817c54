import type { ComponentType, ReactNode } from "react";
import { contactScreen } from "@/components/contacts/screen";
import { eventScreen } from "@/components/events/screen";
import { outcomeScreen } from "@/components/outcomes/screen";
import type { Choices } from "@/components/record/choices";
import type { SessionUser } from "@/lib/core/access/permissions";
import type { RecordItem, RecordValues } from "@/lib/declared-records/api-schema";
import type { RecordKey } from "@/lib/records/registry";

/** The parts of the screens of one kind of record that differ from its declaration. */
export type RecordScreen = {
  /** Returns the listed values of a record in a sentence, without its day. */
  words?: (record: RecordItem) => string;
  /** The content of cells, by column. */
  cells?: Readonly<Record<string, (record: RecordItem) => ReactNode>>;
  /** Returns more actions of a row, before the others. */
  actions?: (record: RecordItem, user: Pick<SessionUser, "permissions">) => ReactNode;
  /** The buttons next to the title of the list. */
  pageActions?: ReactNode;
  /**
   * Returns the values that a new record of the user has, besides its day. These fields are never empty, so they have neither
   * a star nor an empty option.
   */
  prefilled?: (choices: Choices, userId: number) => RecordValues;
  /** The part of the quick entry that only a copy of a record has. */
  Copied?: ComponentType<{ of: RecordItem }>;
  /** The part of a stored record's form below its fields. */
  Below?: ComponentType<{ record: RecordItem }>;
  /** The words of a select's empty option, by field. */
  emptyWords?: Readonly<Record<string, string>>;
};

const screens: Partial<Record<RecordKey, RecordScreen>> = {
  contacts: contactScreen,
  events: eventScreen,
  outcome_surveys: outcomeScreen,
};

/** Returns the parts of the screens of a kind that differ from its declaration. */
export const screenOf = (list: RecordKey): RecordScreen => screens[list] ?? {};
