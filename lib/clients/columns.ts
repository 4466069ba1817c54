import { fullName } from "@/lib/auth/permissions";
import { type ClientListItem, clientSchema } from "@/lib/clients/schema";
import { type Cells, type FileColumn, fieldColumns, ID_COLUMN, OWNER_COLUMNS } from "@/lib/fields/columns";
import { factsOf } from "@/lib/fields/facts";
import { date } from "@/lib/fields/format";
import { day } from "@/lib/fields/vocabulary";

/** The columns of the clients list (spec §2) in a file. */
export const listedClients: Cells<ClientListItem> = {
  "Client Name": ({ name }) => name,
  "Advocate Name": ({ user }) => fullName(user),
  "Created On": ({ createdOn }) => date(createdOn),
};

/** The columns of whole clients in a file, one line for each client. */
export const clientColumns: readonly FileColumn[] = [
  ID_COLUMN,
  ...OWNER_COLUMNS,
  { label: "Created On", path: ["createdOn"], facts: factsOf(day("Created On")) },
  ...fieldColumns(clientSchema),
];
