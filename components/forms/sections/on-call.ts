import { group, type SectionSpec, words } from "@/components/forms/fields";
import { ON_CALL_PLACES, type OnCallEntry } from "@/lib/forms/sections/on-call";

export const ON_CALL: SectionSpec = {
  groups: [
    group<OnCallEntry>({
      path: "",
      fields: [
        {
          name: "placeOfService",
          label: "Place of Service",
          kind: "select",
          options: () => words(ON_CALL_PLACES),
          required: true,
        },
        { name: "placeOfServiceName", label: "Place of Service Name", kind: "text" },
        { name: "evaluationGiven", label: "Evaluation Given", kind: "check" },
      ],
    }),
  ],
};
