import { RefusedNumbers } from "@/components/reports/reader-choice";
import { SubmittedScreen } from "@/components/reports/submitted-screen";
import { page } from "@/lib/page";
import { submissionSegments } from "@/lib/reports/schema";
import { loadSubmission, loadSubmissionRefusal } from "@/lib/reports/screen";

/** A submitted quarter and the changes since. */
export default page({
  permission: "reports",
  params: submissionSegments,
  load: async ({ actor, params }) =>
    (await loadSubmissionRefusal(actor, params.report, params.id)) ??
    loadSubmission(actor, params.report, params.id),
  show: (screen) => ("choice" in screen ? <RefusedNumbers {...screen} /> : <SubmittedScreen {...screen} />),
});
