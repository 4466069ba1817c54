import type * as z from "zod/mini";
import { fullName } from "@/lib/core/access/permissions";
import {
  type Cells,
  type FileColumn,
  fieldColumns,
  ID_COLUMN,
  OWNER_COLUMNS,
  valueAt,
  withUniqueLabels,
} from "@/lib/core/fields/columns";
import { factsOf, fieldsOf } from "@/lib/core/fields/facts";
import { flag } from "@/lib/core/fields/vocabulary";
import { ADVOCATE_NAME } from "@/lib/core/fields/words";
import { isRecord } from "@/lib/core/objects";
import type { Form, FormListItem } from "@/lib/forms/api-schema";
import { formSchema } from "@/lib/forms/schema";
import { FORM_LABELS } from "@/lib/forms/words";

const CLIENT = "Client";

/** Returns the columns of the forms list in an exported file. */
export const listedForms = (): Cells<FormListItem> => [
  [CLIENT, ({ client }) => client.name],
  [ADVOCATE_NAME, ({ user }) => fullName(user)],
  [FORM_LABELS.formType, ({ formType }) => formType.name],
  [FORM_LABELS.serviceStatus, ({ serviceStatus }) => serviceStatus],
  [FORM_LABELS.serviceOn, ({ serviceOn }) => serviceOn, "day"],
];

/**
 * Returns the columns of whole forms in an exported file, custom fields included. A form has one line per service, or one
 * line if it has none. Its other cells repeat on each line, except long texts, so lines with the same Id are one form.
 */
export const formColumns = (): FileColumn[] =>
  withUniqueLabels([
    ID_COLUMN,
    { label: "Client Id", path: ["clientId"] },
    ...OWNER_COLUMNS,
    { label: "Reconciled", path: ["reconciled"], facts: factsOf(flag("Reconciled")) },
    ...fieldColumns(formSchema),
  ]);

/** True for a column whose value differs between the lines of one form. */
export const isServiceColumn = ({ path }: Pick<FileColumn, "path">): boolean =>
  path.includes("serviceProvidedEntries");

/** Returns the values without the long texts of the record and of what is nested in it. */
const withoutLongTexts = (schema: z.core.$ZodType, values: unknown): unknown =>
  isRecord(values)
    ? {
        ...values,
        ...Object.fromEntries(
          fieldsOf(schema).map(({ name, facts, schema: field }) => [
            name,
            facts.kind === "longText" ? "" : withoutLongTexts(field, values[name]),
          ]),
        ),
      }
    : values;

/** Returns the lines of a form: one for each of its services. Its long texts are only on the first. */
export function linesOf(form: Pick<Form, "serviceEntry">): object[] {
  const { serviceEntry } = form;
  const services = serviceEntry?.serviceProvidedEntries ?? [];
  if (!serviceEntry || services.length === 0)
    return [{ ...form, serviceEntry: serviceEntry && { ...serviceEntry, serviceProvidedEntries: null } }];
  const repeated = services.length > 1 ? withoutLongTexts(formSchema, form) : form;
  return services.map((service, at) => ({
    ...(at === 0 ? form : isRecord(repeated) && repeated),
    serviceEntry: { ...serviceEntry, serviceProvidedEntries: service },
  }));
}

/**
 * Returns the form that these lines describe, the inverse of `linesOf`. With several lines each must hold a service,
 * or the form fails validation.
 */
export function formOf(lines: readonly object[]): Record<string, unknown> {
  const services = lines.map((line) => valueAt(line, ["serviceEntry", "serviceProvidedEntries"]));
  const [form] = lines;
  const entry = valueAt(form, ["serviceEntry"]);
  if (lines.length === 1 && !isRecord(entry)) return { ...form };
  return {
    ...form,
    serviceEntry: {
      ...(isRecord(entry) && entry),
      serviceProvidedEntries:
        lines.length === 1 && !services[0] ? [] : services.map((service) => service ?? {}),
    },
  };
}
