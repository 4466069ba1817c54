import { type FieldPath, get } from "react-hook-form";
import { z } from "zod";
import type { FormValues, Rules } from "@/components/forms/values";
import type { Describe } from "@/components/record/differences";
import { describeIn, factsAt as factsIn } from "@/components/record/field-at";
import { clientSchema } from "@/lib/clients/schema";
import { type FieldFacts, recordFacts } from "@/lib/core/fields/facts";
import { formSchema } from "@/lib/forms/schema";
import { services } from "@/lib/forms/sections/services";

/** The schema of the form screen's values: the two records. */
const RECORDS = z.object({ client: clientSchema, form: formSchema });

/** The path of a service row on the screen. */
const ROW = /^form\.serviceEntry\.rows\.[^.]+/;
const inRecord = (name: string) => name.replace(ROW, "form.serviceEntry.serviceProvidedEntries");

/** The facts of a field by its path in the screen's values. */
export const factsAt = (name: FieldPath<FormValues>): FieldFacts => factsIn(RECORDS, inRecord(name));

/** The title of the services table, on screen and in print. */
export const SERVICES_TITLE = recordFacts(services.schema).label;
export const SERVICES_HEADINGS = [
  factsAt("form.serviceEntry.rows.any.serviceCodeId").label,
  factsAt("form.serviceEntry.rows.any.referrals").label,
  "Time Spent (minutes)",
] as const;
export const totalWords = (minutes: number) => `${minutes} minutes total`;

/** The fields below the table of services. */
export const OTHER_SERVICE = [
  "form.serviceEntry.otherService",
  "form.serviceEntry.otherServiceMinutes",
] as const;

/** Returns a function that names a field in a conflict by section and label. A service row is named by its code. */
export const describeWith =
  (codes: Rules["codes"]): Describe =>
  (name, versions) => {
    const description = describeIn(RECORDS)(inRecord(name), versions);
    const [path] = ROW.exec(name) ?? [];
    if (!path) return description;
    // A row that someone else has removed exists only here.
    const places = [versions.theirs, versions.base, versions.mine].map((record) =>
      get({ form: record }, `${path}.serviceCodeId`),
    );
    const codeId = places.find((value) => typeof value === "number");
    const code = codeId === undefined ? undefined : codes.get(codeId)?.code;
    const titles = description.section.split(" › ").slice(1);
    const row = { path, name: code ?? SERVICES_TITLE, amount: `${path}.minutes`, titles };
    return { ...description, section: SERVICES_TITLE, row };
  };
