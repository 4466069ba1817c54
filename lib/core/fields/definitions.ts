import { processWide } from "@/lib/core/process-wide";

// The organization's custom fields, and its settings for the built-in fields. The database holds both under one
// version number, which every change increments. A process and a browser each hold the current definitions as a whole.
// The server loads them when a session's statement returns another version (lib/core/database/definitions.ts). Pages
// hand them to the browser (lib/page-definitions.tsx).

export const CUSTOM_KINDS = ["text", "longText", "flag", "day", "number", "choice", "choices"] as const;
export type CustomKind = (typeof CUSTOM_KINDS)[number];

/** The records that can have custom fields. */
export const CUSTOM_RECORDS = ["client", "form"] as const;
export type CustomRecord = (typeof CUSTOM_RECORDS)[number];

/** A choice of a custom field. Records store its id. */
type CustomChoice = { id: number; label: string; retiredFrom: string | null };

export type CustomField = {
  id: number;
  /** The name of the value in the record's `custom`. */
  key: string;
  record: CustomRecord;
  /** The path of a built-in section, such as `intakeForm.survivorEntry`, or the title of another section. */
  section: string;
  label: string;
  hint: string;
  kind: CustomKind;
  /** The first service day on which the field is required; null if it is optional. */
  requiredFrom: string | null;
  sensitive: boolean;
  /** The first day on which the field is no longer asked; null if it is in use. */
  retiredFrom: string | null;
  /** The form types that ask it; none: every type that has its section. */
  formTypeIds: readonly number[];
  /** In their order. */
  choices: readonly CustomChoice[];
  lockVersion: number;
};

/** The most removed fields that definitions include, latest first. Keys of earlier ones are unknown. */
export const REMOVED_MAX = 1_000;

/** A field that was removed because no record had a value. Its key is never used again. */
type RemovedField = { key: string; record: CustomRecord; label: string };

/** The organization's changes to a built-in field; null keeps the default. */
export type FieldSetting = {
  /** Such as `form.intakeForm.survivorEntry.childAges`. */
  path: string;
  hidden: boolean;
  label: string | null;
  hint: string | null;
  requiredFrom: string | null;
};

export type Definitions = {
  readonly version: number;
  /** In the order in which they were added. */
  readonly fields: readonly CustomField[];
  readonly removed: readonly RemovedField[];
  readonly settings: readonly FieldSetting[];
  /**
   * Paths of fields and parts of sections. Each section selects its own paths (lib/core/fields/in-order.ts). Fields that are
   * not listed are at their declared place.
   */
  readonly order: readonly string[];
};

/** Those of a new database. */
const NONE: Definitions = { version: 0, fields: [], removed: [], settings: [], order: [] };

// Next and our own server load this module separately, so the process keeps one state for both.
const state = processWide("definitions", () => ({ current: NONE }));

/** Returns the definitions that this process or browser holds. They are replaced as a whole and never changed. */
export const currentDefinitions = (): Definitions => state.current;

/** Replaces the definitions that this process or browser holds. */
export function adoptDefinitions(definitions: Definitions): void {
  state.current = definitions;
}
