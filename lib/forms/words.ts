import { labelFor } from "@/lib/core/fields/labels";
import { addDays, date, monthName } from "@/lib/core/text/format";

// Labels and badges of forms. They are not in the schema's module, so that lists do not load the schema.

export const SERVICE_STATUSES = ["Served", "Partially Served", "Not Served"] as const;
export type ServiceStatusName = (typeof SERVICE_STATUSES)[number];

/** The declared labels of the fields that lists also show. */
export const DECLARED_FORM_LABELS = {
  formType: "Form Type",
  serviceStatus: "Service Status",
  serviceOn: "Service On",
} as const;

/** The labels that the organization uses for them. */
export const FORM_LABELS = {
  get formType() {
    return labelFor("form.formTypeId", DECLARED_FORM_LABELS.formType);
  },
  get serviceStatus() {
    return labelFor("form.serviceStatus", DECLARED_FORM_LABELS.serviceStatus);
  },
  get serviceOn() {
    return labelFor("form.serviceOn", DECLARED_FORM_LABELS.serviceOn);
  },
};

export const FORM_STATUSES = ["unreconciled", "reconciled"] as const;

export const formMessages = {
  created: "Created form successfully",
  updated: "Updated form successfully",
  removed: "Removed form successfully",
  reconciled: "Reconciled successfully",
  unreconciled: "Unreconciled successfully",
  noTime: "No time is recorded on this form.",
  staysReturned:
    "The form is still returned to you, because the form itself did not change. If you are done, send a reply.",
};

/** The reason why nothing changes a form of a closed period; `through` is the period's last day. */
export const closedWords = (through: string): string =>
  `Forms through ${date(through)} are closed and cannot be changed.`;

/** The error message for a record of a closed period: “October 2026 and earlier are closed”. A period may end within a month. */
export const closedMessage = (through: string): string =>
  addDays(through, 1).endsWith("-01")
    ? `${monthName(through)} ${through.slice(0, 4)} and earlier are closed`
    : `${date(through)} and earlier are closed`;

/** Advice on a form that was returned before its month was closed. */
export const RETURNED_AND_CLOSED =
  "It was returned before. To change it, ask someone with Close Periods to reopen the month; otherwise leave it as it is.";

const STATUS_CODES: Record<ServiceStatusName, string> = {
  Served: "success",
  "Partially Served": "warning",
  "Not Served": "danger",
};

export const serviceStatusBadge = (status: ServiceStatusName) => ({
  status_code: STATUS_CODES[status],
  status_title: FORM_LABELS.serviceStatus,
  description: `The client was ${status.toLowerCase()}`,
  display_status: status,
});

export const reconciledBadge = (reconciled: boolean) => ({
  status_code: reconciled ? "success" : "neutral",
  status_title: "Reconciliation",
  description: reconciled ? "A supervisor has checked this form" : "This form has not been checked yet",
  display_status: reconciled ? "Reconciled" : "Unreconciled",
});
