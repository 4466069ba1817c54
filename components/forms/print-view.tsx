"use client";

import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { get, type UseFormReturn, useFormContext } from "react-hook-form";
import { factsAt } from "@/components/forms/fields";
import { spentRows } from "@/components/forms/rows";
import { SECTIONS } from "@/components/forms/sections";
import { HOTEL_SHELTER, VIDEOCONFERENCING } from "@/components/forms/sections/services";
import {
  blankClient,
  blankForm,
  type FormValues,
  formTypeOf,
  isMagisterialMode,
  type Rules,
} from "@/components/forms/values";
import { type Printed, printed, printedText } from "@/components/record/printed";
import { type Brand, OrganisationLogo } from "@/components/shell/brand";
import { date, shortDateTimeOfDay } from "@/lib/fields/format";
import type { Form } from "@/lib/forms/schema";
import { canine } from "@/lib/forms/sections/canine";
import { intake } from "@/lib/forms/sections/intake";
import { services } from "@/lib/forms/sections/services";

type Props = {
  brand: Brand;
  /** As it is stored; null for a new form. */
  saved: Form | null;
  advocate: string;
  /** Who prints it. */
  userName: string;
  rules: Rules;
};

/** What is printed: the values as they stand, and when. */
type Taken = { values: FormValues; at: Date };

/** The form as a printed page: only what was entered. Rendered when the page is printed. */
export function PrintView(props: Props) {
  const form: UseFormReturn<FormValues> = useFormContext();
  const [taken, setTaken] = useState<Taken | null>(null);

  useEffect(() => {
    const printing = window.matchMedia("print");
    // Cloned, so that a second print shows what changed in between.
    const take = () =>
      flushSync(() => setTaken({ values: structuredClone(form.getValues()), at: new Date() }));
    const onChange = () => printing.matches && take();
    window.addEventListener("beforeprint", take);
    printing.addEventListener("change", onChange);
    return () => {
      window.removeEventListener("beforeprint", take);
      printing.removeEventListener("change", onChange);
    };
  }, [form]);

  return <div className="print-only">{taken && <Page {...props} {...taken} />}</div>;
}

/** Whether the stored form is checked, by whom and when. */
function reconciledWords(saved: Form | null): string {
  if (!saved) return "Not saved yet";
  if (!saved.reconciled) return "Unreconciled";
  const { reconciledBy: by, reconciledAt: at } = saved;
  return ["Reconciled", at && `on ${date(at)}`, by && `by ${by.firstName} ${by.lastName}`]
    .filter(Boolean)
    .join(" ");
}

function Page({ brand, saved, advocate, userName, rules, values, at }: Props & Taken) {
  const type = formTypeOf(values.form.formTypeId, rules.lists);
  const blank = { client: blankClient(), form: blankForm(rules.lists) };
  const sections = SECTIONS.flatMap(({ title: heading, spec, shows, paths: [path = ""] }) => {
    if (!spec || !shows(type, values.form.serviceStatus)) return [];
    const [parts, untouched] = [values, blank].map((all) => printed(spec, get(all, path), rules.choices));
    // A section without questions shows values that nobody entered, so it is left out.
    const asks = spec.groups.some(({ fields }) => fields.some(({ facts }) => facts.required));
    const empty = !asks && JSON.stringify(parts) === JSON.stringify(untouched);
    return empty || !parts ? [] : [{ heading, parts }];
  });
  return (
    <>
      <header className="mb-4 border-line border-b pb-2">
        <p className="flex items-center gap-3">
          {brand.hasLogo && <OrganisationLogo className="h-10" />}
          {brand.organisation}
        </p>
        <p className="font-semibold text-xl">{saved ? `Form ${saved.id}` : "New Form"}</p>
        <Rows
          rows={[
            { label: "Advocate", text: advocate },
            { label: "Client", text: values.client.name },
            { label: "Date", text: date(values.form.serviceOn) },
            { label: "State", text: reconciledWords(saved) },
            { label: "Printed on", text: shortDateTimeOfDay(at) },
            { label: "Printed by", text: userName },
          ]}
        />
      </header>
      <Block heading="Form Details" parts={[{ rows: detailRows(values, rules) }]} />
      {sections.map((section) => (
        <Block key={section.heading} {...section} />
      ))}
      {services.shows(type) && <Services rules={rules} values={values} />}
      {brand.help && <p className="mt-4 border-line border-t pt-2 text-sm">{brand.help}</p>}
    </>
  );
}

function detailRows(values: FormValues, { lists, choices }: Rules): Printed["rows"] {
  const type = formTypeOf(values.form.formTypeId, lists);
  const names = [
    "form.formTypeId",
    "form.serviceStatus",
    ...(canine.shows(type) ? ["form.canineId"] : []),
    ...(intake.showsReferral(type)
      ? ["form.intakeForm.referralSourceId", "form.intakeForm.referralSourceName"]
      : []),
    "client.significantOther",
    "client.relationshipToSurvivor",
    "form.verbalConfirmation",
  ];
  return names.flatMap((name) => {
    const facts = factsAt(name);
    const text = printedText(facts, get(values, name), choices);
    return text ? [{ label: facts.label, text }] : [];
  });
}

function Services({ rules, values }: { rules: Rules; values: FormValues }) {
  const { otherService, otherServiceMinutes } = values.form.serviceEntry;
  const spent = spentRows(values, rules);
  const counted = spent.map(({ code, minutes }) => ({ minutes, serviceCodeId: code.id }));
  const type = formTypeOf(values.form.formTypeId, rules.lists);
  const mode = isMagisterialMode(type, values.form.intakeForm.legalAdvocacyEntry);
  const other = [
    { label: "Other Service", text: String(otherService ?? "") },
    { label: "Other Service Minutes", text: otherServiceMinutes ? String(otherServiceMinutes) : "" },
  ].filter(({ text }) => text !== "");
  if (spent.length === 0 && other.length === 0) return null;
  return (
    <section className="mt-3">
      <p className="border-line border-b font-semibold text-lg">Services</p>
      {spent.length > 0 && (
        <table className="my-1 w-full text-left">
          <thead>
            <tr>
              <th>Code</th>
              <th>Referral</th>
              <th className="text-right">Time Spent (minutes)</th>
            </tr>
          </thead>
          <tbody>
            {spent.map(({ key, code, row, minutes }) => (
              <tr key={key} className="align-top">
                <td>
                  {code.code}
                  {services.showsHotelShelter(code) && (
                    <Parts parts={printed(HOTEL_SHELTER, row.hotelShelterEntry, rules.choices)} />
                  )}
                  {services.showsVideoconferencing(code, minutes) && (
                    <Parts parts={printed(VIDEOCONFERENCING, row.videoconferencingEntry, rules.choices)} />
                  )}
                </td>
                <td>{code.hasReferral && String(row.referrals ?? "")}</td>
                <td className="text-right">{minutes}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td colSpan={3} className="text-right font-semibold">
                {`${services.totalMinutes(counted, rules.codes, mode)} minutes total`}
              </td>
            </tr>
          </tfoot>
        </table>
      )}
      <Rows rows={other} />
    </section>
  );
}

function Block({ heading, parts }: { heading: string; parts: Printed[] }) {
  if (!parts.some(({ rows }) => rows.length > 0)) return null;
  return (
    <section className="mt-3 break-inside-avoid">
      <p className="border-line border-b font-semibold text-lg">{heading}</p>
      <Parts parts={parts} />
    </section>
  );
}

function Parts({ parts }: { parts: Printed[] }) {
  return parts.map(({ legend, rows }) => (
    <div key={`${legend} ${rows[0]?.label}`} className="my-1">
      {legend && <p className="font-medium">{legend}</p>}
      <Rows rows={rows} />
    </div>
  ));
}

/** One grid for all of the page: two pairs on a line, a long text on lines of its own. */
function Rows({ rows }: { rows: Printed["rows"] }) {
  return (
    <dl className="grid grid-cols-2 gap-x-6">
      {rows.map(({ label, text }) => (
        <div
          key={label}
          className={`grid grid-cols-[9rem_1fr] gap-x-3 ${text.length > LONG_TEXT ? "col-span-2" : ""}`}
        >
          <dt className="text-muted">{label}</dt>
          <dd className="whitespace-pre-line wrap-anywhere">{text}</dd>
        </div>
      ))}
    </dl>
  );
}

const LONG_TEXT = 60;
