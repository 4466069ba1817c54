import { type FieldSpec, named, words } from "@/components/forms/fields";
import { SERVICE_STATUSES } from "@/lib/forms/sections/service-status";

/** The first line of a markdown description without its marks, short enough for an option. */
function shortDescription(markdown: string): string {
  const [line = ""] = markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_`#>]/g, "")
    .trim()
    .split("\n");
  return line.length > 60 ? `${line.slice(0, 59).trimEnd()}…` : line;
}

/** The fields of a form that stand in no section of its type, by their place in the form (spec §2). */
export const DETAILS = {
  clientName: { name: "client.name", label: "Client Name", kind: "text", required: true },
  serviceOn: { name: "form.serviceOn", label: "Service On", kind: "date", required: true },
  formType: {
    name: "form.formTypeId",
    label: "Form Type",
    kind: "select",
    required: true,
    options: (l) => named(l.formTypes),
  },
  canine: {
    name: "form.canineId",
    label: "Canine Assistance",
    kind: "select",
    options: (l) => named(l.canines),
  },
  referralSource: {
    name: "form.intakeForm.referralSourceId",
    label: "Referral Source",
    kind: "select",
    options: (l) =>
      l.referralSources.map(({ id, code, description }) => ({
        value: id,
        label: [code, shortDescription(description)].filter(Boolean).join(" – "),
      })),
  },
  referralSourceName: {
    name: "form.intakeForm.referralSourceName",
    label: "Referral Source Name",
    kind: "text",
  },
  significantOther: { name: "client.significantOther", label: "Significant Other", kind: "check" },
  relationship: { name: "client.relationshipToSurvivor", label: "Relationship to Survivor", kind: "text" },
  verbalConfirmation: { name: "form.verbalConfirmation", label: "Verbal Confirmation", kind: "check" },
  serviceStatus: {
    name: "form.serviceStatus",
    label: "Service Status",
    kind: "select",
    required: true,
    options: () => words(SERVICE_STATUSES),
  },
} satisfies Record<string, FieldSpec<Record<string, unknown>>>;
