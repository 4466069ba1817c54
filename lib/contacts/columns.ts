import type { Contact } from "@/lib/contacts/api-schema";
import { contactSchema } from "@/lib/contacts/schema";
import { CONTACT_LABELS } from "@/lib/contacts/words";
import { fullName } from "@/lib/core/access/permissions";
import {
  type Cells,
  type FileColumn,
  fieldColumns,
  ID_COLUMN,
  OWNER_COLUMNS,
} from "@/lib/core/fields/columns";
import { ADVOCATE_NAME } from "@/lib/core/fields/words";

/** The columns of the contacts list in an exported file. */
export const listedContacts: Cells<Contact> = [
  [CONTACT_LABELS.contactedOn, ({ contactedOn }) => contactedOn, "day"],
  [CONTACT_LABELS.contactKind, ({ contactKind }) => contactKind.name],
  [CONTACT_LABELS.number, ({ number }) => number],
  [CONTACT_LABELS.minutes, ({ minutes }) => minutes],
  [ADVOCATE_NAME, ({ user }) => fullName(user)],
];

/** The columns of whole contacts in an exported file, one line per contact. */
export const contactColumns: readonly FileColumn[] = [
  ID_COLUMN,
  ...OWNER_COLUMNS,
  ...fieldColumns(contactSchema),
  { label: "Form Id", path: ["formId"] },
];
