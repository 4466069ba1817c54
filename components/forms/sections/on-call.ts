import { section } from "@/components/record/section";
import { onCall } from "@/lib/forms/sections/on-call";

export const ON_CALL = section("form.intakeForm.onCallAdvocacyEntry", onCall.schema, ({ fields }) => [
  fields(["placeOfService", "placeOfServiceName", "evaluationGiven"]),
]);
