import { clientSchema } from "@/lib/clients/schema";
import { type FileColumn, fieldColumns, ID_COLUMN, OWNER_COLUMNS } from "@/lib/fields/columns";
import { factsOf } from "@/lib/fields/facts";
import { day } from "@/lib/fields/vocabulary";

/** The columns of whole clients in a file, one line for each client. */
export const clientColumns: readonly FileColumn[] = [
  ID_COLUMN,
  ...OWNER_COLUMNS,
  { label: "Created On", path: ["createdOn"], facts: factsOf(day("Created On")) },
  ...fieldColumns(clientSchema),
];
