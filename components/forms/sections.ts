import { BIOGRAPHICAL, BIOGRAPHICAL_TITLE } from "@/components/clients/biographical-section";
import { DEMOGRAPHIC, DEMOGRAPHIC_TITLE } from "@/components/clients/demographic-section";
import type { SectionSpec } from "@/components/forms/fields";
import { DETAILS } from "@/components/forms/sections/details";
import { LEGAL } from "@/components/forms/sections/legal";
import { ON_CALL } from "@/components/forms/sections/on-call";
import { PHONE } from "@/components/forms/sections/phone";
import { SERVICE_STATUS } from "@/components/forms/sections/service-status";
import { SURVIVOR } from "@/components/forms/sections/survivor";
import { legal } from "@/lib/forms/sections/legal";
import { onCall } from "@/lib/forms/sections/on-call";
import { phone } from "@/lib/forms/sections/phone";
import { serviceStatus } from "@/lib/forms/sections/service-status";
import { services } from "@/lib/forms/sections/services";
import { survivor } from "@/lib/forms/sections/survivor";
import type { FormTypeFlags } from "@/lib/forms/types";

export type ScreenSection = {
  id: string;
  title: string;
  /** Where its values stand in the form. */
  paths: string[];
  shows: (type: FormTypeFlags, status: string | null) => boolean;
  description?: string;
  /** The fields below `paths[0]`; sections without a spec have a component of their own. */
  spec?: SectionSpec;
};

/** The sections of the form screen in the order in which they stand (spec §2). */
export const SECTIONS: ScreenSection[] = [
  {
    id: "details",
    title: "Form Details",
    paths: ["clientId", ...Object.values(DETAILS).map(({ name }) => name)],
    shows: () => true,
  },
  {
    id: "service-status",
    title: "Service Status",
    description: "Why was the client not fully served? Choose at least one reason.",
    paths: ["form.serviceStatusEntry"],
    shows: (_type, status) => serviceStatus.shows(status),
    spec: SERVICE_STATUS,
  },
  {
    id: "biographical",
    title: BIOGRAPHICAL_TITLE,
    paths: ["client.clientBiographicalEntry"],
    shows: (type) => type.clientBiographicalEntry,
    spec: BIOGRAPHICAL,
  },
  {
    id: "demographic",
    title: DEMOGRAPHIC_TITLE,
    paths: ["client.clientDemographicEntry"],
    shows: (type) => type.clientDemographicalEntry,
    spec: DEMOGRAPHIC,
  },
  {
    id: "phone",
    title: "Phone",
    paths: ["form.intakeForm.phoneEntry"],
    shows: phone.shows,
    spec: PHONE,
  },
  {
    id: "on-call",
    title: "On-Call Advocacy",
    paths: ["form.intakeForm.onCallAdvocacyEntry"],
    shows: onCall.shows,
    spec: ON_CALL,
  },
  {
    id: "legal",
    title: "Legal Advocacy",
    paths: ["form.intakeForm.legalAdvocacyEntry"],
    shows: legal.shows,
    spec: LEGAL,
  },
  {
    id: "survivor",
    title: "Survivor",
    paths: ["form.intakeForm.survivorEntry"],
    shows: survivor.shows,
    spec: SURVIVOR,
  },
  { id: "services", title: "Services", paths: ["form.serviceEntry"], shows: services.shows },
];
