import { hasCustomValue } from "@/lib/core/fields/custom";
import { type CustomField, currentDefinitions } from "@/lib/core/fields/definitions";
import { isRetired, requiresCustom } from "@/lib/core/fields/required";
import { REQUIRED } from "@/lib/core/fields/words";
import { isRecord } from "@/lib/core/objects";
import { INTAKE_SECTION_NAMES, INTAKE_SECTIONS } from "@/lib/forms/sections/intake";
import { serviceStatus } from "@/lib/forms/sections/service-status";
import { services } from "@/lib/forms/sections/services";
import type { ServiceStatusName } from "@/lib/forms/words";
import type { FormTypeFlags } from "@/lib/lookups/types";

// The custom fields of forms. Their sections are those of the form screen, or custom ones.

/** The built-in sections that can have custom fields, by record, with "" for the record itself. */
export const CUSTOM_SECTIONS = {
  client: ["", "clientBiographicalEntry", "clientDemographicEntry"],
  form: [
    "",
    "serviceEntry",
    "serviceStatusEntry",
    ...INTAKE_SECTION_NAMES.map((name) => `intakeForm.${name}`),
  ],
} as const satisfies Record<CustomField["record"], readonly string[]>;

/** True if forms of the type have the section. Custom sections are on every form. */
function hasSection(
  { record, section }: Pick<CustomField, "record" | "section">,
  type: FormTypeFlags,
  status: ServiceStatusName | null,
): boolean {
  if (record === "client") {
    if (section === "clientBiographicalEntry") return type.clientBiographicalEntry;
    return section !== "clientDemographicEntry" || type.clientDemographicalEntry;
  }
  if (section === "serviceEntry") return services.shows(type);
  if (section === "serviceStatusEntry") return serviceStatus.shows(status);
  const name = INTAKE_SECTION_NAMES.find((name) => section === `intakeForm.${name}`);
  return !name || INTAKE_SECTIONS[name].shows(type);
}

/** True if a form of this type and status has the field. Before its type is chosen, a form has none. */
export const hasOwn = (
  field: CustomField,
  type: FormTypeFlags & { id?: number },
  status: ServiceStatusName | null,
): boolean =>
  type.id !== undefined &&
  (field.formTypeIds.length === 0 || field.formTypeIds.includes(type.id)) &&
  hasSection(field, type, status);

type Holder = { formType: FormTypeFlags & { id: number }; serviceStatus: ServiceStatusName | null };

/**
 * Returns the keys of the fields that a form loses with a change of its type or status. Their values would count in
 * reports, but no one could see them.
 */
export const lostCustom = (before: Holder, now: Holder): string[] =>
  currentDefinitions()
    .fields.filter(
      (field) =>
        field.record === "form" &&
        hasOwn(field, before.formType, before.serviceStatus) &&
        !hasOwn(field, now.formType, now.serviceStatus),
    )
    .map(({ key }) => key);

/** True if a form of this type and status asks the field: the field is not retired. */
export const asksCustom = (
  field: CustomField,
  type: FormTypeFlags & { id?: number },
  status: ServiceStatusName | null,
): boolean => !isRetired(field) && hasOwn(field, type, status);

/** Returns the required custom fields that a form lacks, as `{path: problem}`. `asks` decides which the form has. */
export function missingCustomOfForm(
  form: { serviceOn: string | null; custom?: unknown },
  asks: (field: CustomField) => boolean,
): Record<string, string> {
  const custom = isRecord(form.custom) ? form.custom : {};
  const missing = currentDefinitions().fields.filter(
    (field) =>
      field.record === "form" &&
      requiresCustom(field, form.serviceOn) &&
      asks(field) &&
      !hasCustomValue(custom[field.key]),
  );
  return Object.fromEntries(missing.map(({ key }) => [`form.custom.${key}`, REQUIRED]));
}
