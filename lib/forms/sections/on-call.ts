import { choice, entry, flag, text } from "@/lib/core/fields/vocabulary";
import type { FormTypeFlags } from "@/lib/lookups/types";

export const ON_CALL_PLACES = ["Other", "Hotel", "Hospital", "Police Department"] as const;

const schema = entry("On-Call Advocacy", "on_call_advocacy_entries", {
  evaluationGiven: flag("Evaluation Given", { inErrorReports: true, summary: "evaluation given" }),
  placeOfService: choice(ON_CALL_PLACES, "Place of Service", { inErrorReports: true, summary: "place: …" }),
  placeOfServiceName: text("Place of Service Name"),
});

/** On-call advocacy. The place has no default; the user must choose one. */
export const onCall = {
  shows: (type: FormTypeFlags) => type.onCallAdvocacyEntry,
  schema,
};
