import { fullName } from "@/lib/core/access/permissions";
import {
  type Cells,
  type FileColumn,
  fieldColumns,
  ID_COLUMN,
  OWNER_COLUMNS,
} from "@/lib/core/fields/columns";
import { ADVOCATE_NAME } from "@/lib/core/fields/words";
import type { Stay } from "@/lib/shelter/api-schema";
import { peopleOf } from "@/lib/shelter/nights";
import { staySchema } from "@/lib/shelter/schema";
import { STAY_LABELS } from "@/lib/shelter/words";

/** The columns of the list of stays in an exported file, without the names of clients. */
export const listedStays: Cells<Stay> = [
  ["Client Id", ({ clientId }) => clientId],
  [STAY_LABELS.shelter, ({ shelter }) => shelter.name],
  [STAY_LABELS.enteredOn, ({ enteredOn }) => enteredOn, "day"],
  [STAY_LABELS.leftOn, ({ leftOn }) => leftOn, "day"],
  ["People", peopleOf],
  [ADVOCATE_NAME, ({ user }) => fullName(user)],
];

/** The columns of whole stays in an exported file, one line per stay. `Client` is empty for users who see no clients. */
export const stayColumns: readonly FileColumn[] = [
  ID_COLUMN,
  { label: "Client Id", path: ["clientId"] },
  { label: "Client", path: ["client"] },
  ...OWNER_COLUMNS,
  ...fieldColumns(staySchema),
];
