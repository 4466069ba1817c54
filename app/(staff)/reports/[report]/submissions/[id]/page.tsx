import { SubmittedScreen } from "@/components/reports/submitted-screen";
import { page } from "@/lib/page";
import { submissionSegments } from "@/lib/reports/schema";
import { loadSubmission } from "@/lib/reports/screen";

/** A submitted quarter and the changes since. */
export default page({
  permission: "reports",
  params: submissionSegments,
  load: ({ actor, params }) => loadSubmission(actor, params.report, params.id),
  show: (screen) => <SubmittedScreen {...screen} />,
});
