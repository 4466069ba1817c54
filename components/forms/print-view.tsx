"use client";

import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { type UseFormReturn, useFormContext } from "react-hook-form";
import { PhoneBadge } from "@/components/clients/phone-number";
import { reconciledWords } from "@/components/forms/reading";
import { PrintFoot, PrintHead, ReadingView } from "@/components/forms/reading-view";
import type { FormValues, Rules } from "@/components/forms/values";
import type { Brand } from "@/lib/core/branding/brand";
import { PAGES } from "@/lib/core/pages";
import { date, shortDateTimeOfDay } from "@/lib/core/text/format";
import type { Form } from "@/lib/forms/api-schema";
import { FORM_LABELS } from "@/lib/forms/words";

type Props = {
  brand: Brand;
  /** The stored form; null for a new one. */
  saved: Form | null;
  advocate: string;
  /** The full name of the user who prints the form. */
  userName: string;
  rules: Rules;
};

/** The values at the time of the print. */
type Taken = { values: FormValues; at: Date };

/** The form as a printed page with only the entered values. Rendered when the page is printed. */
export function PrintView(props: Props) {
  const form: UseFormReturn<FormValues> = useFormContext();
  const [snapshot, setSnapshot] = useState<Taken | null>(null);

  useEffect(() => {
    const printing = window.matchMedia("print");
    // Cloned, so that a second print shows later changes.
    const take = () =>
      flushSync(() => setSnapshot({ values: structuredClone(form.getValues()), at: new Date() }));
    const onChange = () => printing.matches && take();
    window.addEventListener("beforeprint", take);
    printing.addEventListener("change", onChange);
    return () => {
      window.removeEventListener("beforeprint", take);
      printing.removeEventListener("change", onChange);
    };
  }, [form]);

  return <div className="print-only">{snapshot && <Page {...props} {...snapshot} />}</div>;
}

function Page({ brand, saved, advocate, userName, rules, values, at }: Props & Taken) {
  const entry = values.client.clientBiographicalEntry;
  return (
    <>
      <PrintHead
        brand={brand}
        title={saved ? `Form ${saved.id}` : PAGES.formsNew.title}
        rows={[
          { label: "Advocate", text: advocate },
          { label: "Client", text: values.client.name },
          { label: FORM_LABELS.serviceOn, text: date(values.form.serviceOn) },
          { label: "Review", text: reconciledWords(saved) },
          { label: "Printed on", text: shortDateTimeOfDay(at) },
          { label: "Printed by", text: userName },
        ]}
      />
      <ReadingView
        values={values}
        rules={rules}
        // The screen shows it in a field.
        phone={
          entry.phoneNumber && (
            <span className="inline-flex flex-wrap items-center gap-2">
              <PhoneBadge safeToCall={entry.safeToCall} />
              {entry.phoneNumber}
            </span>
          )
        }
      />
      <PrintFoot brand={brand} />
    </>
  );
}
