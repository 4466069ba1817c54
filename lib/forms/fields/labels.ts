import { clientColumns } from "@/lib/clients/columns";
import { DECLARED_CLIENT_NAME } from "@/lib/clients/words";
import { EXTERNAL_ID_LABEL, type FileColumn, takenHeading } from "@/lib/core/fields/columns";
import type { CustomRecord } from "@/lib/core/fields/definitions";
import { formColumns } from "@/lib/forms/columns";

// The only rule for labels: no two fields of a record have the same heading in files. A heading begins with the title of
// the section, and imports find columns by it.

const COLUMNS: Record<CustomRecord, () => FileColumn[]> = { client: clientColumns, form: formColumns };

/** Headings that imports use for columns that are not fields of the record. */
const OTHERS: Record<CustomRecord, readonly string[]> = {
  client: [EXTERNAL_ID_LABEL],
  form: [EXTERNAL_ID_LABEL, DECLARED_CLIENT_NAME],
};

/**
 * Returns the problem with a label in a section of the record, to follow the word "Label". Returns "" if no field other
 * than the one at `path` has it.
 */
export function labelProblem(
  { record, title, path }: { record: CustomRecord; title: string; path: string },
  label: string,
): string {
  const others = [
    ...COLUMNS[record]().filter((column) => column.path.join(".") !== path),
    ...OTHERS[record].map((other) => ({ label: other, path: [] })),
  ];
  const taken = takenHeading(title ? `${title}: ${label}` : label, others);
  return taken === undefined ? "" : `is already used by ${taken}`;
}
