import type { FormType, ServiceCode } from "@/lib/forms/types";
import type { NamedItem } from "@/lib/permissions";

/** The lookup lists that the form and client screens choose from, each in its list's default order. */
export type FormLists = {
  ageBrackets: (NamedItem & { rangeStart: number })[];
  canines: NamedItem[];
  custodyStatuses: NamedItem[];
  educationLevels: (NamedItem & { sortOrder: number })[];
  ethnicities: NamedItem[];
  hateCrimeCategories: NamedItem[];
  incomeLevels: (NamedItem & { rangeStart: number })[];
  magisterialCourtOutcomes: NamedItem[];
  offenderRelationships: NamedItem[];
  pfaCourtContactTypes: NamedItem[];
  secondaryVictimizations: NamedItem[];
  referralSources: { id: number; code: string; description: string }[];
  formTypes: FormType[];
};

/** What `GET /api/resource_lists/service_codes/{formTypeId}` answers. */
export type ServiceCodeList = { serviceCodes: ServiceCode[] };
