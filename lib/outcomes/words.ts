/** The kinds of service that outcome cards are about. */
export const SERVICE_KINDS = [
  { value: "shelter", label: "Shelter" },
  { value: "advocacy", label: "Advocacy" },
  { value: "counseling", label: "Counseling" },
  { value: "support_group", label: "Support group" },
] as const;
export type ServiceKind = (typeof SERVICE_KINDS)[number]["value"];
