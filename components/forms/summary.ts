import type * as z from "zod/mini";
import { type Choices, screenText, shortDescription } from "@/components/record/choices";
import { factsAt } from "@/components/record/field-at";
import type { FieldFacts } from "@/lib/core/fields/facts";
import { capitalize, date, duration } from "@/lib/core/text/format";
import type { Form } from "@/lib/forms/api-schema";
import type { LastValue } from "@/lib/forms/by-client/schema";
import { reportedFields } from "@/lib/forms/reported";
import { formSchema } from "@/lib/forms/schema";
import { legal } from "@/lib/forms/sections/legal";
import { services } from "@/lib/forms/sections/services";
import type { ServiceStatusName } from "@/lib/forms/words";
import type { ServiceCode } from "@/lib/lookups/api-schema";

// A form in one line, as a colleague would write it, and the warnings above a client's forms. The words are facts of the
// fields (`summary`, `safety`), so a new field needs no code here.

/** The most services, or referrals, that a line names. */
const NAMED_MAX = 3;
const REFERRAL_LENGTH_MAX = 60;

/** `Police Department` → `police department`; `PFA Court` → `PFA court`. */
const lowerCase = (text: string) =>
  text.replace(/(?<!\p{L})\p{Lu}(?=\p{Ll})/gu, (letter) => letter.toLowerCase());

/** Returns a field's value in the words of its summary, or "". A value that its list no longer has gives "" too. */
function factWords(facts: FieldFacts, value: unknown, choices: Choices): string {
  const text = facts.summary ? screenText(facts, value, choices) : "";
  if (!facts.summary || !text) return "";
  const isChosen = "list" in facts || "choices" in facts;
  return facts.summary.replace("…", () => (isChosen ? lowerCase(text) : text));
}

/** Returns the first items, and the number of the others. */
const few = (items: readonly string[]): string =>
  [
    ...items.slice(0, NAMED_MAX),
    ...(items.length > NAMED_MAX ? [`${items.length - NAMED_MAX} more`] : []),
  ].join(", ");

/** Returns the bold beginning of a code's description, else its first clause, else the code. */
function serviceName({ code, description }: Pick<ServiceCode, "code" | "description">): string {
  const [, bold] = /^\s*\*\*(.+?)\*\*/.exec(description) ?? [];
  const [clause = ""] = shortDescription(bold ?? description).split(/[:;,.](?:\s|$)/);
  return clause || code;
}

/** Returns the first line of a referral text, shortened, as a part of the summary. */
function referralWords(text: string): string {
  const [line = ""] = text.trim().replace(/\.$/, "").split("\n");
  const short =
    line.length > REFERRAL_LENGTH_MAX ? `${line.slice(0, REFERRAL_LENGTH_MAX - 1).trimEnd()}…` : line;
  return /^referred\b/i.test(short) ? `r${short.slice(1)}` : `referral: ${short}`;
}

/** Returns the services with minutes, longest first, and the referrals made. */
function servicesOf({ intakeForm, serviceEntry }: Form) {
  const spent = (serviceEntry?.serviceProvidedEntries ?? []).filter(({ minutes }) =>
    services.isSpent(minutes),
  );
  const codes = new Map(spent.map(({ serviceCode }) => [serviceCode.id, serviceCode]));
  const counted = spent.map(({ minutes, serviceCode }) => ({ minutes, serviceCodeId: serviceCode.id }));
  const entry = intakeForm?.legalAdvocacyEntry;
  const isMagisterial = entry ? legal.isMagisterial(entry) : false;
  const names = spent
    .toSorted((one, other) => (other.minutes ?? 0) - (one.minutes ?? 0))
    .map(({ serviceCode }, index) => {
      const name = serviceName(serviceCode);
      return index === 0 ? name : lowerCase(name);
    });
  return {
    time: duration(services.totalMinutes(counted, codes, isMagisterial)),
    names: [...names, serviceEntry?.otherService ?? ""].filter(Boolean),
    referrals: spent.flatMap(({ referrals }) => (referrals.trim() ? [referralWords(referrals)] : [])),
  };
}

/**
 * Returns a form in one line, part by part: `11/20/2026`, `Phone`, `2 h 50 min`, `Compensation claim, law enforcement`,
 * `referred to county assistance`, `Partially served: transportation`.
 */
export function summaryOf(form: Form, choices: Choices): string[] {
  const { time, names, referrals } = servicesOf(form);
  const { serviceStatus, serviceStatusEntry, ...others } = form;
  const wordsIn = (schema: z.core.$ZodType, values: object | null): string => {
    const words = [...reportedFields(schema, values)].map(({ facts, value }) =>
      factWords(facts, value, choices),
    );
    return [...new Set(words)].filter(Boolean).join(", ");
  };
  const reasons = wordsIn(formSchema.shape.serviceStatusEntry, serviceStatusEntry);
  const status = capitalize(serviceStatus.toLowerCase());
  return [
    date(form.serviceOn),
    form.formType.name,
    time,
    few(names),
    form.groupSession ? `${form.groupSession.groupName} session` : "",
    few(referrals),
    wordsIn(formSchema, others),
    serviceStatus === ("Served" satisfies ServiceStatusName)
      ? ""
      : [status, reasons].filter(Boolean).join(": "),
  ].filter(Boolean);
}

/**
 * Returns the last reported values as warnings with their days, newest first: `Reported 11/20/2026: guns`,
 * `PFA order: temporary, 11/18/2026`. They never say "no": a blank proves nothing.
 */
export function warningsOf(values: readonly LastValue[], choices: Choices): string[] {
  const stated = values.flatMap(({ path, value, serviceOn }) => {
    const facts = factsAt(formSchema, path);
    const text = factWords(facts, value, choices);
    return text ? [{ isBox: facts.kind === "flag", text, serviceOn }] : [];
  });
  const days = [...new Set(stated.map(({ serviceOn }) => serviceOn))].sort().reverse();
  return days.flatMap((day) => {
    const ofDay = stated.filter(({ serviceOn }) => serviceOn === day);
    const boxes = ofDay.filter(({ isBox }) => isBox).map(({ text }) => text);
    return [
      ...(boxes.length > 0 ? [`Reported ${date(day)}: ${boxes.join(", ")}`] : []),
      ...ofDay.filter(({ isBox }) => !isBox).map(({ text }) => `${text}, ${date(day)}`),
    ];
  });
}
