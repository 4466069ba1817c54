import { type FieldPath, get } from "react-hook-form";
import * as z from "zod/mini";
import { placesIn } from "@/components/forms/custom";
import type { FormValues, Rules } from "@/components/forms/values";
import type { Describe } from "@/components/record/differences";
import { describeIn, factsAt as factsIn, fieldAt } from "@/components/record/field-at";
import { clientSchema } from "@/lib/clients/schema";
import { type FieldFacts, recordFacts } from "@/lib/core/fields/facts";
import { inOrder } from "@/lib/core/fields/in-order";
import { labelFor } from "@/lib/core/fields/labels";
import { formSchema } from "@/lib/forms/schema";
import { services } from "@/lib/forms/sections/services";

/** The schema of the form screen's values: the two records. */
const RECORDS = z.object({ client: clientSchema, form: formSchema });

/** The path of a service row on the screen. */
const ROW = /^form\.serviceEntry\.rows\.[^.]+/;
const inRecord = (name: string) => name.replace(ROW, "form.serviceEntry.serviceProvidedEntries");

/** The facts of a field by its path in the screen's values. */
export const factsAt = (name: FieldPath<FormValues>): FieldFacts => factsIn(RECORDS, inRecord(name));

/** Returns the facts of the field at a path in the records; undefined if there is none. */
export const factsAtPath = (path: string): FieldFacts | undefined => fieldAt(RECORDS, path).facts;

/** The title of the services table, on screen and in print. */
export const SERVICES_TITLE = recordFacts(services.schema).label;
/** Returns the headings of the services table. That of the referrals is null if the organization hides them. */
export const servicesHeadings = () => ({
  code: factsAt("form.serviceEntry.rows.any.serviceCodeId").label,
  referral: showsReferrals() ? factsAt("form.serviceEntry.rows.any.referrals").label : null,
  minutes: labelFor("form.serviceEntry.serviceProvidedEntries.minutes", "Time Spent (minutes)"),
});

/** True if the organization does not hide the referrals of services. */
export const showsReferrals = (): boolean => !factsAt("form.serviceEntry.rows.any.referrals").hidden;
export const totalWords = (minutes: number) => `${minutes} minutes total`;

/** The fields below the table of services. */
const OTHER_SERVICE = ["form.serviceEntry.otherService", "form.serviceEntry.otherServiceMinutes"] as const;

/** Returns the declared fields below the table of services, including custom and hidden ones. */
export const otherServiceItems = () =>
  [...OTHER_SERVICE, ...placesIn("form.serviceEntry").map(({ name }) => name)].map((path) => ({ path }));
/** Returns the names of these fields in the organization's order. */
export const otherService = () => inOrder(otherServiceItems()).map(({ path }) => path);

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
