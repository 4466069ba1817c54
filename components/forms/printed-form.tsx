import { Fragment, type ReactNode } from "react";
import { type FieldPath, get } from "react-hook-form";
import {
  factsAt,
  OTHER_SERVICE,
  SERVICES_HEADINGS,
  SERVICES_TITLE,
  totalWords,
} from "@/components/forms/fields";
import { spentRows } from "@/components/forms/rows";
import { DETAILS, SECTIONS, showsDetail } from "@/components/forms/sections";
import { HOTEL_SHELTER, VIDEOCONFERENCING } from "@/components/forms/sections/services";
import {
  blankClient,
  blankForm,
  type FormValues,
  formTypeOf,
  isMagisterialMode,
  type Rules,
} from "@/components/forms/values";
import type { Choices } from "@/components/record/choices";
import { type Printed, type PrintedRow, printed, printedText } from "@/components/record/printed";
import { type Brand, OrganizationLogo } from "@/components/shell/brand";
import { date } from "@/lib/core/fields/format";
import type { Form } from "@/lib/forms/schema";
import { services } from "@/lib/forms/sections/services";

/** Returns the stored form's review state in words, with reviewer and date. */
export function reconciledWords(saved: Form | null): string {
  if (!saved) return "Not saved yet";
  if (!saved.reconciled) return "Unreconciled";
  const { reconciledBy: by, reconciledAt: at } = saved;
  return ["Reconciled", at && `on ${date(at)}`, by && `by ${by.firstName} ${by.lastName}`]
    .filter(Boolean)
    .join(" ");
}

/** The head of a print: the organization, a title, and facts about the record. */
export function PrintHead({ brand, title, rows }: { brand: Brand; title: ReactNode; rows: PrintedRow[] }) {
  return (
    <header className="mb-4 border-line border-b pb-2">
      <p className="flex items-center gap-3">
        {brand.hasLogo && <OrganizationLogo className="h-10" />}
        {brand.organization}
      </p>
      <h2 className="font-semibold text-xl">{title}</h2>
      <PrintedRows rows={rows} />
    </header>
  );
}

/** The last line of a print: where to get help. */
export const PrintFoot = ({ brand }: { brand: Brand }) =>
  brand.help ? <p className="mt-4 border-line border-t pt-2 text-sm">{brand.help}</p> : null;

/**
 * Prints the entered values of a form: its details, the sections of its type, and the services with minutes. If
 * `withClient` is false, without the client's parts.
 */
export function PrintedForm({
  values,
  rules,
  withClient = true,
}: {
  values: FormValues;
  rules: Rules;
  withClient?: boolean;
}) {
  const type = formTypeOf(values.form.formTypeId, rules.lists);
  const isPart = (name: string) => withClient || !name.startsWith("client.");
  const blank = { client: blankClient(), form: blankForm(rules.lists) };
  const sections = SECTIONS.flatMap(({ title: heading, spec, shows, paths: [path = ""] }) => {
    if (!spec || !isPart(path) || !shows(type, values.form.serviceStatus)) return [];
    const [parts, untouched] = [values, blank].map((all) => printed(spec, get(all, path), rules.choices));
    // A section without required fields shows only defaults, so it is left out.
    const asks = spec.groups.some(({ fields }) => fields.some(({ facts }) => facts.required));
    const empty = !asks && JSON.stringify(parts) === JSON.stringify(untouched);
    return empty || !parts ? [] : [{ heading, parts }];
  });
  return (
    <>
      <PrintedBlock heading="Form Details" parts={[{ rows: detailRows(values, rules, isPart) }]} />
      {sections.map((section) => (
        <PrintedBlock key={section.heading} {...section} />
      ))}
      {services.shows(type) && <Services rules={rules} values={values} />}
    </>
  );
}

/** The details that are already in the head of a print. */
const IN_HEAD = new Set<FieldPath<FormValues>>(["clientId", "client.name", "form.serviceOn"]);

function detailRows(
  values: FormValues,
  { lists, choices }: Rules,
  isPart: (name: string) => boolean,
): PrintedRow[] {
  const type = formTypeOf(values.form.formTypeId, lists);
  const names = DETAILS.filter((name) => !IN_HEAD.has(name) && showsDetail(name, type) && isPart(name));
  return rowsOf(names, values, choices);
}

/** Returns the fields as printed rows, without blanks. */
const rowsOf = (names: readonly FieldPath<FormValues>[], values: FormValues, choices: Choices) =>
  names
    .map((name) => ({ facts: factsAt(name), value: get(values, name) }))
    .map(({ facts, value }) => ({ label: facts.label, text: printedText(facts, value, choices) }))
    .filter(({ text }) => text !== "");

function Services({ rules, values }: { rules: Rules; values: FormValues }) {
  const spent = spentRows(values, rules);
  const timedRows = spent.map(({ code, minutes }) => ({ minutes, serviceCodeId: code.id }));
  const type = formTypeOf(values.form.formTypeId, rules.lists);
  const mode = isMagisterialMode(type, values.form.intakeForm.legalAdvocacyEntry);
  const other = rowsOf(OTHER_SERVICE, values, rules.choices);
  if (spent.length === 0 && other.length === 0) return null;
  return (
    <section className="mt-3">
      <h3 className="border-line border-b font-semibold text-lg">{SERVICES_TITLE}</h3>
      {spent.length > 0 && (
        <table className="my-1 w-full text-left">
          <thead>
            <tr>
              {SERVICES_HEADINGS.map((heading) => (
                <th key={heading} className="last:text-right">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {spent.map(({ key, code, row, minutes }) => {
              const details = [
                ...(services.showsHotelShelter(code)
                  ? printed(HOTEL_SHELTER, row.hotelShelterEntry, rules.choices)
                  : []),
                ...(services.showsVideoconferencing(code, minutes)
                  ? printed(VIDEOCONFERENCING, row.videoconferencingEntry, rules.choices)
                  : []),
              ];
              return (
                <Fragment key={key}>
                  <tr className="align-top">
                    <td className="pr-3">{code.code}</td>
                    <td>{code.hasReferral && String(row.referrals ?? "")}</td>
                    <td className="text-right">{minutes}</td>
                  </tr>
                  {details.length > 0 && (
                    <tr>
                      <td colSpan={3}>
                        <Parts parts={details} />
                      </td>
                    </tr>
                  )}
                </Fragment>
              );
            })}
          </tbody>
          <tfoot>
            <tr>
              <td colSpan={3} className="text-right font-semibold">
                {totalWords(services.totalMinutes(timedRows, rules.codes, mode))}
              </td>
            </tr>
          </tfoot>
        </table>
      )}
      <PrintedRows rows={other} />
    </section>
  );
}

/** A titled part of a print; renders nothing without rows. */
export function PrintedBlock({ heading, parts }: { heading: string; parts: Printed[] }) {
  if (!parts.some(({ rows }) => rows.length > 0)) return null;
  return (
    <section className="mt-3 break-inside-avoid">
      <h3 className="border-line border-b font-semibold text-lg">{heading}</h3>
      <Parts parts={parts} />
    </section>
  );
}

function Parts({ parts }: { parts: Printed[] }) {
  return parts.map(({ legend, rows }) => (
    <div key={`${legend} ${rows[0]?.label}`} className="my-1">
      {legend && <p className="mt-2 font-semibold">{legend}</p>}
      <PrintedRows rows={rows} />
    </div>
  ));
}

const LONG_TEXT = 60;

/** Allows a line break after a slash, rather than within a word. */
const breakable = (label: string) =>
  label.split("/").map((part, index) => (
    <Fragment key={part}>
      {index > 0 && (
        <>
          /<wbr />
        </>
      )}
      {part}
    </Fragment>
  ));

/** One grid for the whole print: two pairs on a line if there is space, a long text on its own lines. */
function PrintedRows({ rows }: { rows: PrintedRow[] }) {
  return (
    <dl className="grid gap-x-6 sm:grid-cols-2 print:grid-cols-2">
      {rows.map(({ label, text }) => (
        <div
          key={label}
          className={`grid grid-cols-[9rem_1fr] gap-x-3 sm:grid-cols-[10rem_1fr] print:grid-cols-[10rem_1fr] ${text.length > LONG_TEXT ? "sm:col-span-2 print:col-span-2" : ""}`}
        >
          <dt className="break-words text-muted">{breakable(label)}</dt>
          <dd className="whitespace-pre-line wrap-anywhere">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
