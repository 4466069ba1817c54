import { fullName } from "@/lib/auth/permissions";
import { type ClientListItem, clientSchema } from "@/lib/clients/schema";
import { type Cells, type FileColumn, fieldColumns, ID_COLUMN, OWNER_COLUMNS } from "@/lib/fields/columns";
import { factsOf } from "@/lib/fields/facts";
import { date } from "@/lib/fields/format";
import { day } from "@/lib/fields/vocabulary";
import { ADVOCATE_NAME, CLIENT_LABELS } from "@/lib/fields/words";

/** The columns of the clients list (spec §2) in a file. */
export const listedClients: Cells<ClientListItem> = {
  [CLIENT_LABELS.name]: ({ name }) => name,
  [ADVOCATE_NAME]: ({ user }) => fullName(user),
  [CLIENT_LABELS.createdOn]: ({ createdOn }) => date(createdOn),
};

/** The columns of whole clients in a file, one line for each client. */
export const clientColumns: readonly FileColumn[] = [
  ID_COLUMN,
  ...OWNER_COLUMNS,
  { label: CLIENT_LABELS.createdOn, path: ["createdOn"], facts: factsOf(day(CLIENT_LABELS.createdOn)) },
  ...fieldColumns(clientSchema),
];
