import type { ClientListItem } from "@/lib/clients/api-schema";
import { clientSchema } from "@/lib/clients/schema";
import { CLIENT_LABELS } from "@/lib/clients/words";
import { fullName } from "@/lib/core/access/permissions";
import {
  type Cells,
  type FileColumn,
  fieldColumns,
  ID_COLUMN,
  OWNER_COLUMNS,
  withUniqueLabels,
} from "@/lib/core/fields/columns";
import { factsOf } from "@/lib/core/fields/facts";
import { day } from "@/lib/core/fields/vocabulary";
import { ADVOCATE_NAME } from "@/lib/core/fields/words";

/** Returns the columns of the clients list in an exported file. */
export const listedClients = (): Cells<ClientListItem> => [
  [CLIENT_LABELS.name, ({ name }) => name],
  [ADVOCATE_NAME, ({ user }) => fullName(user)],
  [CLIENT_LABELS.createdOn, ({ createdOn }) => createdOn, "day"],
];

/** Returns the columns of whole clients in an exported file, one line per client, custom fields included. */
export const clientColumns = (): FileColumn[] =>
  withUniqueLabels([
    ID_COLUMN,
    ...OWNER_COLUMNS,
    { label: CLIENT_LABELS.createdOn, path: ["createdOn"], facts: factsOf(day(CLIENT_LABELS.createdOn)) },
    ...fieldColumns(clientSchema),
  ]);
