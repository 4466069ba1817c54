import { z } from "zod";
import { flag, id, text } from "@/lib/fields/validation";
import type { FormTypeFlags } from "@/lib/forms/types";

export const ON_CALL_PLACES = ["Other", "Hotel", "Hospital", "Police Department"] as const;

const schema = z.object({
  id: id().optional(),
  evaluationGiven: flag(),
  placeOfService: z.enum(ON_CALL_PLACES),
  placeOfServiceName: text(),
});

export type OnCallEntry = z.output<typeof schema>;

/** On-call advocacy (spec §3, §5, §9). The place has no default: it must be chosen. */
export const onCall = {
  shows: (type: FormTypeFlags) => type.onCallAdvocacyEntry,
  schema,
  defaults: () => ({ evaluationGiven: false, placeOfService: null, placeOfServiceName: "" }),
  clear: (entry: OnCallEntry): OnCallEntry => entry,
};
