import { type FileColumn, fieldColumns, ID_COLUMN, OWNER_COLUMNS } from "@/lib/fields/columns";
import { type Form, formSchema } from "@/lib/forms/schema";

/**
 * The columns of whole forms in a file. A form has a line for each of its services, or one if it has none; its other
 * cells are the same on each of them, so that lines with the same Id are one form.
 */
export const formColumns: readonly FileColumn[] = [
  ID_COLUMN,
  { label: "Client Id", path: ["clientId"] },
  ...OWNER_COLUMNS,
  { label: "Reconciled", path: ["reconciled"] },
  ...fieldColumns(formSchema),
];

/** The columns in which the lines of one form differ. */
export const isServiceColumn = ({ path }: FileColumn): boolean => path.includes("serviceProvidedEntries");

/** The lines of a form: the form itself, each time with one of its services in place of their list. */
export function linesOf<F extends Pick<Form, "serviceEntry">>(form: F): object[] {
  const { serviceEntry } = form;
  const services = serviceEntry?.serviceProvidedEntries ?? [];
  if (!serviceEntry || services.length === 0)
    return [{ ...form, serviceEntry: serviceEntry && { ...serviceEntry, serviceProvidedEntries: null } }];
  return services.map((service) => ({
    ...form,
    serviceEntry: { ...serviceEntry, serviceProvidedEntries: service },
  }));
}
