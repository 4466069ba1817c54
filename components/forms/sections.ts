import type { FieldPath } from "react-hook-form";
import { BIOGRAPHICAL, DEMOGRAPHIC } from "@/components/clients/sections";
import { allPlaces, placesIn, placesOf } from "@/components/forms/custom";
import { factsAt, otherService, SERVICES_TITLE } from "@/components/forms/fields";
import { LEGAL } from "@/components/forms/sections/legal";
import { ON_CALL } from "@/components/forms/sections/on-call";
import { PHONE } from "@/components/forms/sections/phone";
import { SERVICE_STATUS } from "@/components/forms/sections/service-status";
import { SURVIVOR } from "@/components/forms/sections/survivor";
import type { FormValues } from "@/components/forms/values";
import { type CustomPlace, customSections } from "@/components/record/custom";
import { type SectionItem, type SectionSpec, withCustom } from "@/components/record/section";
import { inOrder } from "@/lib/core/fields/in-order";
import { canine } from "@/lib/forms/sections/canine";
import { intake } from "@/lib/forms/sections/intake";
import { legal } from "@/lib/forms/sections/legal";
import { onCall } from "@/lib/forms/sections/on-call";
import { phone } from "@/lib/forms/sections/phone";
import { serviceStatus } from "@/lib/forms/sections/service-status";
import { services } from "@/lib/forms/sections/services";
import { survivor } from "@/lib/forms/sections/survivor";
import type { ServiceStatusName } from "@/lib/forms/words";
import type { FormTypeFlags } from "@/lib/lookups/types";

export type ScreenSection = {
  id: string;
  title: string;
  /** The paths of its values in the form. */
  paths: FieldPath<FormValues>[];
  shows: (type: FormTypeFlags, status: ServiceStatusName | null) => boolean;
  description?: string;
  /** True if funders' reports count by the section as a whole. */
  isNeeded?: boolean;
  /** The organization's custom fields, which are also in `paths`. */
  custom?: readonly CustomPlace[];
  /** The fields below `paths[0]`. Sections without a spec have their own component. */
  spec?: SectionSpec;
};

/** The fields outside the sections, in order, by their path in the screen's values. */
export const DETAILS: FieldPath<FormValues>[] = [
  "clientId",
  "client.name",
  "form.formTypeId",
  "form.serviceOn",
  "form.serviceStatus",
  "form.canineId",
  "form.intakeForm.referralSourceId",
  "form.intakeForm.referralSourceName",
  "form.verbalConfirmation",
  "client.significantOther",
  "client.relationshipToSurvivor",
];

/** The built-in details that the organization can move, in their declared order. */
const MOVABLE_DETAILS: readonly FieldPath<FormValues>[] = [
  "form.canineId",
  "form.intakeForm.referralSourceId",
  "form.intakeForm.referralSourceName",
  "client.significantOther",
  "client.relationshipToSurvivor",
];

const customDetails = (): FieldPath<FormValues>[] => placesIn("").map(({ name }) => name);

/** Returns the details that the organization can move, in their declared order, with custom fields last. */
export const detailItems = () => [...MOVABLE_DETAILS, ...customDetails()].map((path) => ({ path }));

/** Returns the names of these details in the organization's order; null if all are at their declared places. */
export function movedDetails(): FieldPath<FormValues>[] | null {
  const declared = detailItems();
  const movable = inOrder(detailItems());
  return movable.every(({ path }, at) => path === declared[at]?.path)
    ? null
    : movable.map(({ path }) => path);
}

/** The details with a fixed place. */
export const FIXED_DETAILS = DETAILS.filter((name) => !MOVABLE_DETAILS.includes(name));

/** Returns all details in the organization's order, with its custom fields. */
export function detailsInOrder(): FieldPath<FormValues>[] {
  const moved = movedDetails();
  return moved ? [...FIXED_DETAILS, ...moved] : [...DETAILS, ...customDetails()];
}

/** True if the form type asks for a built-in field outside the sections, and the organization does not hide it. */
export function showsDetail(name: FieldPath<FormValues>, type: FormTypeFlags): boolean {
  if (factsAt(name).hidden) return false;
  if (name === "form.canineId") return canine.shows(type);
  return !name.startsWith("form.intakeForm.") || intake.showsReferral(type);
}

const ALL_SECTIONS: readonly ScreenSection[] = [
  {
    id: "details",
    title: "Form Details",
    paths: DETAILS,
    shows: () => true,
  },
  // Before the services, because a place of service decides which minutes count.
  {
    id: "on-call",
    title: ON_CALL.title,
    paths: ["form.intakeForm.onCallAdvocacyEntry"],
    shows: onCall.shows,
    spec: ON_CALL,
  },
  {
    id: "legal",
    title: LEGAL.title,
    paths: ["form.intakeForm.legalAdvocacyEntry"],
    shows: legal.shows,
    spec: LEGAL,
  },
  {
    id: "services",
    title: SERVICES_TITLE,
    paths: ["form.serviceEntry"],
    shows: services.shows,
    isNeeded: true,
  },
  {
    id: "service-status",
    title: SERVICE_STATUS.title,
    description: "Why was the client not fully served? Choose at least one reason.",
    isNeeded: true,
    paths: ["form.serviceStatusEntry"],
    shows: (_type, status) => serviceStatus.shows(status),
    spec: SERVICE_STATUS,
  },
  {
    id: "phone",
    title: PHONE.title,
    paths: ["form.intakeForm.phoneEntry"],
    shows: phone.shows,
    spec: PHONE,
  },
  {
    id: "biographical",
    title: BIOGRAPHICAL.title,
    paths: ["client.clientBiographicalEntry"],
    shows: (type) => type.clientBiographicalEntry,
    spec: BIOGRAPHICAL,
  },
  {
    id: "demographic",
    title: DEMOGRAPHIC.title,
    paths: ["client.clientDemographicEntry"],
    shows: (type) => type.clientDemographicalEntry,
    spec: DEMOGRAPHIC,
  },
  {
    id: "survivor",
    title: SURVIVOR.title,
    paths: ["form.intakeForm.survivorEntry"],
    shows: survivor.shows,
    spec: SURVIVOR,
  },
];

/** Returns the path under which the custom fields of a section are declared; "" for Form Details. */
export const customPath = ({ id, paths: [path] }: ScreenSection): string =>
  id === "details" ? "" : (path ?? "");

/**
 * The built-in sections, in order. One whose fields are all hidden is not shown, unless it has custom fields.
 */
export const SECTIONS: readonly ScreenSection[] = ALL_SECTIONS.map((section) => ({
  ...section,
  shows: (type, status) =>
    section.shows(type, status) &&
    (!section.spec ||
      withCustom(section.spec.groups, placesOf(placesIn(customPath(section)), type, status)).length > 0),
}));

/** Returns items of fields in the order of the form screen. Those of no field, such as rows of services, come first. */
export function inScreenOrder<One extends { field: string }>(all: readonly One[]): One[] {
  const builtIn = SECTIONS.flatMap(({ id, spec }): string[] => {
    if (id === "details") return detailsInOrder();
    if (id === "services") return otherService();
    return inOrder<SectionItem>(spec?.items ?? []).flatMap(({ path, inside }) =>
      inside ? inOrder(inside).map((item) => item.path) : [path],
    );
  });
  const added = customSections(allPlaces()).flatMap(({ places }) => places.map(({ name }) => name));
  const ranks = new Map([...builtIn, ...added].map((path, at) => [path, at]));
  const rank = ({ field }: One) => ranks.get(field) ?? -1;
  return all.toSorted((one, other) => rank(one) - rank(other));
}

/** Returns the sections of a form of this type and status with their custom fields, then the custom sections. */
export function screenSections(
  type: FormTypeFlags & { id?: number },
  status: ServiceStatusName | null,
): ScreenSection[] {
  const withCustom = (section: ScreenSection): ScreenSection => {
    const custom = placesOf(placesIn(customPath(section)), type, status);
    return { ...section, custom, paths: [...section.paths, ...custom.map(({ name }) => name)] };
  };
  const added = customSections(placesOf(allPlaces(), type, status)).map(
    ({ title, places }, at): ScreenSection => ({
      id: `custom-${at + 1}`,
      title,
      paths: places.map(({ name }) => name),
      shows: () => true,
      custom: places,
    }),
  );
  return [...SECTIONS.filter(({ shows }) => shows(type, status)).map(withCustom), ...added];
}
